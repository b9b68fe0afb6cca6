import { randomUUID } from 'node:crypto'
import {
  TRANSCRIPT_LINE_MAX,
  TRANSCRIPT_LINES_MAX,
  TRANSCRIPT_REVISIONS_MAX,
} from '@interview-room/contract/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ActingTenant, createActingTenant } from '../../../testing/acting-tenant.ts'
import { deleteObjects } from '../../../testing/recordings.ts'
import type { TenantClient } from '../../../testing/tenant-client.ts'
import { type StartedTranscription, useTranscriptions } from '../../../testing/transcriptions.ts'
import { callAsViewer } from '../../../testing/viewer-calls.ts'
import type { Engine } from './engines/engine.ts'

const { plane, start, run, read, result, webhooks } = useTranscriptions()
let acting: ActingTenant
beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

const engine: Engine = {
  name: 'fake',
  capabilities: {
    languages: ['en-US'],
    translatesFrom: [],
    audioMaxSec: 3600,
    audioMaxBytes: 1e9,
    speakerLabels: true,
    audioFormat: 'wav',
  },
  submit: async () => ({
    kind: 'done',
    words: [
      { text: ' I', startSec: 0.2, endSec: 0.4, speaker: 'Speaker 1' },
      { text: ' buy', startSec: 0.4, endSec: 0.7, speaker: 'Speaker 1' },
      { text: ' tee.', startSec: 0.8, endSec: 1.1, speaker: 'Speaker 1', confidence: 0.4 },
      { text: ' Why?', startSec: 1.2, endSec: 1.6, speaker: 'Speaker 2', confidence: 0.9 },
    ],
  }),
}

async function transcribed(): Promise<StartedTranscription> {
  const started = await start()
  await run(started, { engine_c: engine })
  return started
}

const TEA = { start_sec: 0.2, end_sec: 1.1, text: 'I buy tea.', speaker: 'Hanako' }
const WHY = { start_sec: 1.2, end_sec: 1.6, text: 'Why?', speaker: 'Speaker 2' }
const LINES = [TEA, WHY]

const pathOf = ({ id }: { id: string }) => `/transcriptions/${id}/revisions`

function put(
  started: { id: string },
  body: object,
  { match = '"0"', client = plane.tenant }: { match?: string | null; client?: TenantClient } = {},
) {
  return client.send({
    method: 'PUT',
    url: `/api/v1${pathOf(started)}`,
    payload: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      ...(match !== null && { 'if-match': match }),
    },
  })
}

async function participantOf({ recordingId }: StartedTranscription, name: string) {
  const [row] = await plane.database.db<{ id: string }[]>`
    insert into participants (id, tenant_id, room_id, seq, role, display_name, anonymous_key,
                              created_at)
    select gen_random_uuid(), tenant_id, room_id, 99, 'panelist', ${name}, gen_random_uuid(), now()
      from recordings
     where id = ${recordingId}
    returning id
  `
  return String(row?.id)
}

const words = async ({ id }: { id: string }, query = '') =>
  (await plane.tenant.get(`/transcriptions/${id}/words${query}`)).data

describe('PUT /transcriptions/{transcription_id}/revisions', () => {
  // contract: correctTranscript › 200 TranscriptRevisions with the new revision first, and its ETag
  // contract: correctTranscript › `result_url` and words are those of the newest revision; words that stay keep their times
  test('makes a revision that everybody reads from then on', async () => {
    const started = await transcribed()
    const before = await read(started)
    plane.now = new Date(plane.now.getTime() + 60_000)
    const { status, headers, data } = await put(started, { lines: LINES })
    expect([status, headers['etag']]).toEqual([200, '"1"'])
    const [newest, first] = data.revisions
    expect(newest).toEqual({
      revision: 1,
      author_kind: 'api_key',
      author_reference: plane.tenant.authorization.split(/[ .]/)[1],
      author_name: null,
      created_at: expect.stringMatching(/Z$/),
    })
    expect(first).toMatchObject({
      revision: 0,
      author_kind: 'engine',
      author_reference: 'engine_c',
    })
    expect(data.lines).toEqual(LINES.map((line) => ({ ...line, participant_id: null, role: null })))
    expect(await result(started)).toBe(
      [
        'WEBVTT\n',
        '00:00:00.200 --> 00:00:01.100\n<v Hanako>I buy tea.</v>\n',
        '00:00:01.200 --> 00:00:01.600\n<v Speaker 2>Why?</v>\n',
      ].join('\n'),
    )
    const nobody = { participant_id: null, role: null }
    expect(await words(started)).toMatchObject({
      revision: 1,
      words: [
        { text: ' I', start_sec: 0.2, end_sec: 0.4, speaker: 'Hanako', ...nobody },
        { text: ' buy', start_sec: 0.4, end_sec: 0.7, speaker: 'Hanako' },
        { text: ' tea.', start_sec: 0.7, end_sec: 1.1, speaker: 'Hanako', confidence: null },
        { text: ' Why?', start_sec: 1.2, end_sec: 1.6, speaker: 'Speaker 2', confidence: 0.9 },
      ],
    })
    // Revision 0 and the time of the end stay. Nobody is told of an end again.
    expect((await words(started, '?revision=0')).words[2]).toMatchObject({ text: ' tee.' })
    const { result_url: _url, ...after } = await read(started)
    expect(before).toMatchObject(after)
    expect(await webhooks(started)).toHaveLength(1)
  })

  // contract: correctTranscript › `participant_id` names the person, with the role
  test('gives a line to a person of the room', async () => {
    const started = await transcribed()
    const hanako = await participantOf(started, 'Hanako & Co')
    const { data } = await put(started, { lines: [{ ...TEA, participant_id: hanako }, WHY] })
    expect(data.lines[0]).toMatchObject({
      participant_id: hanako,
      speaker: 'Hanako & Co',
      role: 'panelist',
    })
    expect(await result(started)).toContain(`NOTE\n<v.panelist Hanako &amp; Co> ${hanako}\n`)
    expect((await words(started)).words[0]).toMatchObject({ participant_id: hanako })
  })

  // contract: correctTranscript › 412 PRECONDITION_FAILED for any revision but the newest
  // contract: Error codes › 412 PRECONDITION_FAILED
  test.each([
    ['one after the other', false, 1],
    ['in the other order', false, -1],
    ['at the same time', true, 1],
  ])('of two writers %s, one wins', async (_name, isAtOnce, order) => {
    const started = await transcribed()
    const other = [{ ...TEA, text: 'I buy coffee.' }, WHY]
    const texts = order > 0 ? [LINES, other] : [other, LINES]
    const writers = texts.map((lines) => async () => put(started, { lines }))
    const answers = []
    if (isAtOnce) answers.push(...(await Promise.all(writers.map((write) => write()))))
    else for (const write of writers) answers.push(await write())
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
    expect([won?.status, lost?.status, lost?.code]).toEqual([200, 412, 'PRECONDITION_FAILED'])
    const { data, headers } = await plane.tenant.get(pathOf(started))
    expect([data, headers['etag']]).toEqual([won?.data, '"1"'])
    expect((await put(started, { lines: other }, { match: 'W/"1"' })).status).toBe(200)
    // Files of the writer who lost are deleted.
    await deleteObjects(plane)
    const folder = `${plane.tenant.tenantId}/transcripts/`
    const named = await plane.database.db<{ key: string }[]>`
      select unnest(array[words_key, result_key]) as key from transcription_revisions
    `
    const stored = [...plane.storage.objects.keys()].filter((key) => key.startsWith(folder))
    expect(stored.filter((key) => !named.some((each) => each.key === key))).toEqual([])
  })

  // contract: correctTranscript › 400 INVALID_REQUEST without If-Match
  test('refuses a request that does not say what it has read', async () => {
    const refused = await put(await transcribed(), { lines: LINES }, { match: null })
    expect([refused.status, refused.details]).toEqual([400, [['If-Match', 'REQUIRED']]])
  })

  // contract: correctTranscript › 404 NOT_FOUND until it is done, and for what was transcribed before there were revisions
  test('is 404 NOT_FOUND for a transcript without revisions', async () => {
    const running = await start()
    for (const started of [running, { id: randomUUID() }]) {
      expect((await put(started, { lines: LINES })).status).toBe(404)
      expect((await plane.tenant.get(pathOf(started))).status).toBe(404)
    }
  })

  // contract: correctTranscript › 400 INVALID_REQUEST: `lines`, `start_sec`, `end_sec`, `text`, `participant_id`, `speaker`
  // contract: Limits › A line of a transcript has `TRANSCRIPT_LINE_MAX` characters
  test.each([
    [{}, 'lines', 'REQUIRED'],
    [{ lines: [{ ...TEA, start_sec: -1 }] }, 'lines.0.start_sec', 'OUT_OF_RANGE'],
    [{ lines: [{ ...TEA, end_sec: 400_000 }] }, 'lines.0.end_sec', 'OUT_OF_RANGE'],
    [{ lines: [{ ...TEA, text: '' }] }, 'lines.0.text', 'TOO_SHORT'],
    [{ lines: [{ ...TEA, text: 'two\nlines' }] }, 'lines.0.text', 'INVALID_FORMAT'],
    [
      { lines: [{ ...TEA, text: 'x'.repeat(TRANSCRIPT_LINE_MAX + 1) }] },
      'lines.0.text',
      'TOO_LONG',
    ],
    [{ lines: [{ ...TEA, participant_id: 'x' }] }, 'lines.0.participant_id', 'INVALID_FORMAT'],
    [{ lines: [{ ...TEA, speaker: '' }] }, 'lines.0.speaker', 'TOO_SHORT'],
    [{ lines: [{ ...TEA, role: null }] }, 'lines.0.role', 'UNKNOWN_FIELD'],
  ])('refuses %j', async (body, field, code) => {
    const refused = await put({ id: randomUUID() }, body)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toContainEqual([field, code])
  })

  // contract: correctTranscript › 422 VALIDATION_ERROR: a person of another room, an end before its start
  test('refuses strangers, and lines that end before they start', async () => {
    const started = await transcribed()
    const stranger = await participantOf(await start(), 'Stranger')
    const refused = await put(started, {
      lines: [
        { ...TEA, participant_id: stranger },
        { ...WHY, end_sec: 1 },
      ],
    })
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [
        ['lines.0.participant_id', 'NOT_ALLOWED'],
        ['lines.1.end_sec', 'OUT_OF_RANGE'],
      ],
    ])
  })

  // contract: Limits › A transcript has `TRANSCRIPT_LINES_MAX` lines
  test('takes the longest transcript, and no line more', async () => {
    const started = await transcribed()
    const line = { end_sec: 1.1, text: 'あ'.repeat(40), participant_id: null, speaker: 'Hanako' }
    const lines = Array.from({ length: TRANSCRIPT_LINES_MAX }, (_, at) => ({
      ...line,
      start_sec: 0.2,
      end_sec: 1 + (at % 5),
    }))
    const tooMany = await put(started, { lines: [...lines, lines[0]] })
    expect([tooMany.status, tooMany.details]).toEqual([400, [['lines', 'TOO_LONG']]])
    const { status, data } = await put(started, { lines })
    expect([status, data.lines.length]).toEqual([200, TRANSCRIPT_LINES_MAX])
  })

  // contract: Limits › A transcript has `TRANSCRIPT_REVISIONS_MAX` revisions
  test('refuses a revision too many', async () => {
    const started = await transcribed()
    await plane.database.db`
      update transcription_revisions set revision = ${TRANSCRIPT_REVISIONS_MAX - 1}
       where transcription_id = ${started.id}
    `
    const match = `"${TRANSCRIPT_REVISIONS_MAX - 1}"`
    const refused = await put(started, { lines: LINES }, { match })
    expect([refused.status, refused.details]).toEqual([422, [['lines', 'QUOTA_EXCEEDED']]])
  })

  test('splits a line that does not fit into a cue, and leaves out one without text', async () => {
    const long = { ...TEA, text: 'I mostly buy cold green tea at the kiosk. '.repeat(5) }
    const { data } = await put(await transcribed(), { lines: [long, { ...WHY, text: ' ' }] })
    expect(data.lines.length).toBeGreaterThan(1)
    expect(data.lines.map((line: { text: string }) => line.text).join(' ')).toBe(long.text.trim())
  })

  test('keeps the times of somebody whom an erasure has taken from the lines', async () => {
    const started = await transcribed()
    await plane.database.db`
      update transcript_lines set speaker = null where transcription_id = ${started.id}
    `
    const lines = [TEA, WHY].map((line) => ({ ...line, speaker: null }))
    await put(started, { lines })
    const { words: after } = await words(started)
    expect(after).toMatchObject([
      { text: ' I', start_sec: 0.2, end_sec: 0.4, speaker: null },
      { text: ' buy', start_sec: 0.4, end_sec: 0.7 },
      { text: ' tea.', start_sec: 0.7, end_sec: 1.1 },
      { text: ' Why?', start_sec: 1.2, end_sec: 1.6 },
    ])
  })

  // contract: correctTranscript › A viewer who may `correct` the recording
  // contract: getTranscriptRevisions › A viewer who may `correct` the recording
  test('is open to viewers who may correct, and keeps their name', async () => {
    const started = await transcribed()
    const call = async (method: 'GET' | 'PUT', may: string[], recording = started.recordingId) => {
      const token = await acting.signViewerToken({ recording_id: recording, may, name: 'Sato' })
      return callAsViewer(plane.app, [method, pathOf(started)], {
        token,
        headers: { 'if-match': '"0"' },
        ...(method === 'PUT' && { body: { lines: LINES } }),
      })
    }
    const { recordingId: other } = await start()
    for (const method of ['GET', 'PUT'] as const) {
      const others = ['watch', 'comment', 'clip', 'download', 'share', 'staff']
      expect((await call(method, others)).status).toBe(401)
      expect((await call(method, ['correct'], other)).status).toBe(404)
      expect((await call(method, ['correct'])).status).toBe(200)
    }
    expect((await plane.tenant.get(pathOf(started))).data.revisions[0]).toMatchObject({
      author_kind: 'viewer',
      author_reference: expect.any(String),
      author_name: 'Sato',
    })
  })

  // contract: correctTranscript › Other tenants get 404 NOT_FOUND
  // contract: getTranscriptRevisions › Other tenants get 404 NOT_FOUND
  test('is 404 NOT_FOUND for another tenant', async () => {
    const started = await transcribed()
    expect((await put(started, { lines: LINES }, { client: plane.other })).status).toBe(404)
    expect((await plane.other.get(pathOf(started))).status).toBe(404)
  })
})

// contract: getTranscriptRevisions › 200 TranscriptRevisions: `transcription_id`, `revisions` with `revision`, `author_kind`,
//   `author_reference`, `author_name`, `created_at`; `lines`
// contract: getTranscriptRevisions › The access log names who reads
// contract: getTranscriptRevisions › 404 NOT_FOUND until it is done
test('GET /transcriptions/{transcription_id}/revisions gives what the engine wrote at first', async () => {
  const started = await transcribed()
  const { headers, data } = await plane.tenant.get(pathOf(started))
  const log = await plane.tenant.get(`/access-log?recording_id=${started.recordingId}`)
  expect(log.data.items).toMatchObject([{ transcription_id: started.id }])
  const nobody = { participant_id: null, role: null }
  expect([headers['etag'], data]).toEqual([
    '"0"',
    {
      transcription_id: started.id,
      revisions: [
        {
          revision: 0,
          author_kind: 'engine',
          author_reference: 'engine_c',
          author_name: null,
          created_at: expect.stringMatching(/Z$/),
        },
      ],
      lines: [
        { ...TEA, text: 'I buy tee.', speaker: 'Speaker 1', ...nobody },
        { ...WHY, ...nobody },
      ],
    },
  ])
})

test('the files of all revisions go with their recording', async () => {
  const started = await transcribed()
  await put(started, { lines: LINES })
  const keys = await plane.database.db<{ key: string }[]>`
    select unnest(array[words_key, result_key]) as key
      from transcription_revisions where transcription_id = ${started.id}
  `
  const left = () => keys.filter(({ key }) => plane.storage.objects.has(key)).length
  expect(left()).toBe(4)
  await plane.tenant.delete(`/recordings/${started.recordingId}`)
  await deleteObjects(plane)
  expect(left()).toBe(0)
})
