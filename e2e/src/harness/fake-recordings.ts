import type { Page } from 'playwright-core'

const ID = '018f0000-0000-7000-8000-00000000000'
const AT = '2026-06-01T05:00:00.000Z'
const TIMES = { created_at: AT, updated_at: AT }

const RECORDING = {
  id: `${ID}1`,
  room_id: `${ID}0`,
  provider_archive_id: 'EG_1',
  status: 'available',
  output_mode: 'composed',
  size: 48_300_000,
  duration_sec: 1805.4,
  failure_reason: null,
  ...TIMES,
}

const TRANSCRIPTION = {
  id: `${ID}2`,
  recording_id: RECORDING.id,
  room_id: RECORDING.room_id,
  provider: 'engine_c',
  provider_transcription_id: null,
  status: 'done',
  language: 'ja-JP',
  kind: 'transcription',
  result_url: null,
  failure_reason: null,
  ...TIMES,
}

const LINES = `WEBVTT

00:00:01.000 --> 00:00:03.500
<v.moderator 森 一郎>はじめまして。よろしくお願いします。

00:00:04.000 --> 00:00:06.000
<v.panelist 佐藤 花子>よろしくお願いします。

00:00:07.000 --> 00:00:12.000
<v.moderator 森 一郎>まず、この新商品の第一印象を
教えてください。
`

/** Serves recordings to the playground: two that can be played, or kept as an archive, and one that failed. */
export async function serveFakeRecordings(page: Page): Promise<void> {
  const refused = { status: 'request_error', failure_reason: 'engine_not_configured' }
  const failed = { status: 'failed', size: null, duration_sec: null }
  const recordings = [
    RECORDING,
    { ...RECORDING, id: `${ID}4`, output_mode: 'individual' },
    { ...RECORDING, ...failed, id: `${ID}5`, failure_reason: 'start_timeout' },
  ]
  const transcriptions = [
    TRANSCRIPTION,
    { ...TRANSCRIPTION, ...refused, id: `${ID}3`, provider: 'engine_b', language: 'en-US' },
  ]
  const api = '**/playground/api'
  await page.route(`${api}/rooms/*/recordings`, (route) => route.fulfill({ json: { recordings } }))
  await page.route(`${api}/recordings/*`, (route) =>
    route.fulfill({ json: { processed: null, transcriptions } }),
  )
  await page.route(`${api}/transcriptions/**`, (route) =>
    route.fulfill({ contentType: 'text/vtt', body: LINES }),
  )
}
