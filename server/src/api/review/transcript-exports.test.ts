import { parse } from 'csv-parse/sync'
import { extractRawText } from 'mammoth'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addRecordedRoom } from '../../testing/recordings.ts'
import { addTranscriptOf } from '../../testing/transcripts.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let recordingId: string
let id: string

const LINES = [
  { text: '表示は見やすいです。' },
  { text: 'いいえ、\n"高い"です。', speaker: '=1+1', role: 'moderator' as const },
]

beforeAll(async () => {
  await ensureServiceKey(plane.deps)
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

beforeEach(async () => {
  ;({ recordingId } = await addRecordedRoom(plane))
  id = await addTranscriptOf(plane, recordingId, { lines: LINES })
})

const pathOf = (query: string) => `/transcriptions/${id}/export-url${query}`

async function download(query: string) {
  const { data } = await plane.tenant.get(pathOf(query))
  return plane.app.inject(new URL(data.url).pathname)
}

const tokenOf = async (scope: { recording_id: string; may: readonly string[] }) =>
  acting.signViewerToken(scope)

describe('GET /transcriptions/{transcription_id}/export-url', () => {
  // contract: getTranscriptionExportUrl › 200 SignedUrl: `url`, `expires_at`, for five minutes, noted in the access log
  test('gives an address for five minutes, and the access log notes it', async () => {
    const { status, data } = await plane.tenant.get(pathOf('?format=docx'))
    const expiresAt = new Date(plane.now.getTime() + 300_000).toISOString()
    expect([status, data.expires_at]).toEqual([200, expiresAt])
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}`)
    expect(log.data.items).toMatchObject([
      { transcription_id: id, purpose: 'download', expires_at: expiresAt },
    ])
    plane.now = new Date(plane.now.getTime() + 301_000)
    expect((await plane.app.inject(new URL(data.url).pathname)).statusCode).toBe(404)
  })

  // contract: getTranscriptionExportUrl › `format`: `vtt`, `srt`, `txt`, `csv` or `docx`; `vtt` by default
  // contract: getTranscriptionExportUrl › `speakers`: `name` or `role`; `name` by default
  test.each([
    ['', 'vtt', 'text/vtt; charset=utf-8', '<v.panelist Hanako>表示は見やすいです。</v>'],
    ['?format=vtt&speakers=role', 'vtt', 'text/vtt; charset=utf-8', '<v panelist>表示は'],
    ['?format=srt', 'srt', 'application/x-subrip; charset=utf-8', 'Hanako: 表示は見やすいです。'],
    ['?format=txt', 'txt', 'text/plain; charset=utf-8', '[00:00:00] Hanako: 表示は見やすいです。'],
  ])('%s is a file', async (query, extension, mime, text) => {
    const { headers, body } = await download(query)
    expect(headers['content-type']).toBe(mime)
    expect(headers['content-disposition']).toContain(`transcription-${id}.${extension}`)
    expect(body).toContain(text)
  })

  test('as CSV has what a program imports', async () => {
    const { rawPayload } = await download('?format=csv')
    expect(parse(rawPayload, { bom: true, columns: true })).toEqual([
      {
        speaker: 'Hanako',
        start: '00:00:00.000',
        end: '00:00:02.500',
        text: '表示は見やすいです。',
      },
      {
        speaker: "'=1+1",
        start: '00:00:03.000',
        end: '00:00:05.500',
        text: 'いいえ、\n"高い"です。',
      },
    ])
  })

  test('as a document has the interview as its heading', async () => {
    const { rawPayload } = await download('?format=docx&speakers=role')
    const { value } = await extractRawText({ buffer: rawPayload })
    const [heading, ...lines] = value.trim().split('\n\n')
    expect(heading).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
    expect(lines).toEqual([
      '[00:00:00] panelist: 表示は見やすいです。',
      '[00:00:03] moderator: いいえ、 "高い"です。',
    ])
  })

  // contract: getTranscriptionExportUrl › 400 INVALID_REQUEST: `format`, `speakers`, unknown parameters
  test.each(['?format=pdf', '?speakers=nobody', '?limit=1'])('refuses %s', async (query) => {
    const refused = await plane.tenant.get(pathOf(query))
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  // contract: getTranscriptionExportUrl › 404 NOT_FOUND until it is done, and for what was transcribed before there were words
  test('is 404 NOT_FOUND without a transcript', async () => {
    const order = { language: 'en-US' }
    const running = await plane.tenant.post(`/recordings/${recordingId}/transcriptions`, order)
    const early = await plane.tenant.get(`/transcriptions/${running.data.id}/export-url`)
    await plane.database.db`delete from transcription_revisions where transcription_id = ${id}`
    const old = await plane.tenant.get(pathOf(''))
    expect([early.code, old.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  })

  test('ends with the recording', async () => {
    const { data } = await plane.tenant.get(pathOf(''))
    await plane.tenant.delete(`/recordings/${recordingId}`)
    expect((await plane.app.inject(new URL(data.url).pathname)).statusCode).toBe(404)
  })

  // contract: getTranscriptionExportUrl › A viewer who may `watch` the recording; the access log names them
  test('is open to viewers of the recording, for no longer than their token', async () => {
    const ask = async (token: string) => callAsViewer(plane.app, ['GET', pathOf('')], { token })
    const { status, data } = await ask(await tokenOf({ recording_id: recordingId, may: ['watch'] }))
    expect([status, (await plane.app.inject(new URL(data.url).pathname)).statusCode]).toEqual([
      200, 200,
    ])
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}`)
    expect(log.data.items).toMatchObject([{ viewer: { reference: expect.any(String) } }])
    const deaf = await ask(await tokenOf({ recording_id: recordingId, may: ['comment'] }))
    const { recordingId: another } = await addRecordedRoom(plane)
    const stranger = await ask(await tokenOf({ recording_id: another, may: ['watch'] }))
    expect([deaf.status, stranger.status]).toEqual([401, 404])
  })
})
