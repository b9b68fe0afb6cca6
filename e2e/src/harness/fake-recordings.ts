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

const CLIP = {
  id: `${ID}6`,
  recording_id: RECORDING.id,
  title: '第一印象',
  start_sec: 7,
  end_sec: 12,
  viewer: null,
  status: 'available',
  size: 1_204_000,
  duration_sec: 5,
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

/** A page of a list, as the API answers it. */
function list(items: object[]) {
  const data = { items, next_cursor: null, has_more: false }
  return { json: { success: true, data, error: null } }
}

const REASON = 'engine_not_configured'

/** Serves recordings to the playground: two that can be played, or kept as an archive, and one that failed. */
export async function serveFakeRecordings(page: Page): Promise<void> {
  const failed = { ...RECORDING, id: `${ID}5`, status: 'failed', size: null, duration_sec: null }
  const archive = { ...RECORDING, id: `${ID}4`, output_mode: 'individual' }
  const refused = { ...TRANSCRIPTION, id: `${ID}3`, provider: 'engine_b', language: 'en-US' }
  const api = '**/api/v1'
  await page.route(`${api}/rooms/*/recordings?*`, (route) =>
    route.fulfill(list([RECORDING, archive, failed])),
  )
  await page.route(`${api}/rooms/*/room-events?*`, (route) => {
    const payload = { recording_id: failed.id, failure_reason: 'start_timeout' }
    return route.fulfill(list([{ payload }]))
  })
  await page.route(`${api}/recordings/*/processed-recording`, (route) =>
    route.fulfill({ status: 404, json: { success: false, error: { code: 'NOT_FOUND' } } }),
  )
  await page.route(`${api}/recordings/*/clips?*`, (route) => route.fulfill(list([CLIP])))
  await page.route(`${api}/recordings/*/transcriptions?*`, (route) =>
    route.fulfill(list([TRANSCRIPTION, { ...refused, status: 'request_error' }])),
  )
  await page.route('**/playground/api/transcriptions/**', (route) =>
    route.fulfill({ contentType: 'text/vtt', body: LINES }),
  )
  await page.route('**/playground/api/webhooks/stream', (route) => {
    const data = { transcription_id: refused.id, failure_reason: REASON }
    const type = 'transcription.completed'
    const webhook = { received_at: AT, verified: true, id: 'evt_1', type, body: { type, data } }
    const body = `event: webhook\ndata: ${JSON.stringify(webhook)}\n\n`
    return route.fulfill({ contentType: 'text/event-stream', body })
  })
}
