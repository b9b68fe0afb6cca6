import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ActingTenant, createActingTenant } from '../../../testing/acting-tenant.ts'
import { deleteObjects } from '../../../testing/recordings.ts'
import { type StartedTranscription, useTranscriptions } from '../../../testing/transcriptions.ts'
import { callAsViewer } from '../../../testing/viewer-calls.ts'
import type { Engine } from './engines/engine.ts'

const { plane, start, run, result } = useTranscriptions()
let acting: ActingTenant
beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
})

const WORDS = [
  { text: ' there.', startSec: 0.9, endSec: 1.3, speaker: null, confidence: 0.5 },
  { text: ' Hello', startSec: 0.2, endSec: 0.80049, speaker: null },
]

const engine: Engine = {
  name: 'fake',
  capabilities: {
    languages: ['en-US'],
    translatesFrom: [],
    audioMaxSec: 3600,
    audioMaxBytes: 1e9,
    speakerLabels: false,
    audioFormat: 'wav',
  },
  submit: async () => ({ kind: 'done', words: WORDS }),
}

async function transcribed(): Promise<StartedTranscription> {
  const started = await start()
  await run(started, { engine_c: engine })
  return started
}

const tokenOf = (recording_id: string, may: string[]) =>
  acting.signViewerToken({ recording_id, may })

const wordsOf = ({ id }: { id: string }) => `/transcriptions/${id}/words`

describe('GET /transcriptions/{transcription_id}/words', () => {
  // contract: getTranscriptionWords › 200 TranscriptionWords: `transcription_id`, `revision`, `created_at`, `words` with
  //   `text`, `start_sec`, `end_sec`, `participant_id`, `speaker`, `role`, `confidence`
  test('gives the words of the engine as revision 0, in order of time', async () => {
    const started = await transcribed()
    const { status, data } = await plane.tenant.get(wordsOf(started))
    const nobody = { participant_id: null, speaker: null, role: null }
    expect([status, data]).toEqual([
      200,
      {
        transcription_id: started.id,
        revision: 0,
        created_at: expect.stringMatching(/Z$/),
        words: [
          { text: ' Hello', start_sec: 0.2, end_sec: 0.8, ...nobody, confidence: null },
          { text: ' there.', start_sec: 0.9, end_sec: 1.3, ...nobody, confidence: 0.5 },
        ],
      },
    ])
    expect((await plane.tenant.get(`${wordsOf(started)}?revision=0`)).data).toEqual(data)
  })

  // contract: getTranscriptionWords › 404 NOT_FOUND until it is done, for a revision that is not there, and for what was
  //   transcribed before there were words
  test('is 404 NOT_FOUND without such a revision', async () => {
    const running = await start()
    const before = await transcribed()
    await plane.database.db`
      delete from transcription_revisions where transcription_id = ${before.id}
    `
    const done = await transcribed()
    for (const path of [wordsOf(running), wordsOf(before), `${wordsOf(done)}?revision=1`]) {
      const refused = await plane.tenant.get(path)
      expect([refused.status, refused.details]).toEqual([404, [['revision', 'NOT_ALLOWED']]])
    }
    expect((await plane.tenant.get(wordsOf({ id: randomUUID() }))).status).toBe(404)
  })

  // contract: getTranscriptionWords › 400 INVALID_REQUEST: `revision`, unknown parameters
  test.each(['revision=-1', 'revision=x', 'limit=1'])('refuses %s', async (query) => {
    const refused = await plane.tenant.get(`${wordsOf(await start())}?${query}`)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  // contract: getTranscriptionWords › A viewer who may `watch` the recording; the access log names them
  test('is open to viewers of the recording, and the access log notes who read', async () => {
    const started = await transcribed()
    const { recordingId } = started
    const read = async (token: string) =>
      callAsViewer(plane.app, ['GET', wordsOf(started)], { token })
    expect((await read(await tokenOf(recordingId, ['watch']))).status).toBe(200)
    expect((await read(await tokenOf(recordingId, ['comment']))).status).toBe(401)
    const other = await start()
    expect((await read(await tokenOf(other.recordingId, ['watch']))).status).toBe(404)
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}`)
    expect(log.data.items).toMatchObject([
      { transcription_id: started.id, viewer: { reference: expect.any(String) } },
    ])
  })
})

test('words and captions count among the stored bytes', async () => {
  const period = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z'
  const stored = async () => (await plane.tenant.get(`/usage?${period}`)).data.stored_bytes
  const started = await start()
  const before = await stored()
  await run(started, { engine_c: engine })
  const written = [...plane.storage.objects].filter(([key]) => key.includes('/transcripts/'))
  const sizes = written.slice(-2).map(([, { body }]) => body.length)
  expect(await stored()).toBe(before + sizes.reduce((sum, size) => sum + size, 0))
})

test('the words go with their recording', async () => {
  const started = await transcribed()
  const [row] = await plane.database.db<{ words: string }[]>`
    select words_key as words from transcription_revisions where transcription_id = ${started.id}
  `
  const key = String(row?.words)
  expect([plane.storage.objects.has(key), await result(started)]).toEqual([
    true,
    expect.stringMatching(/^WEBVTT/),
  ])
  await plane.tenant.delete(`/recordings/${started.recordingId}`)
  await deleteObjects(plane)
  expect(
    [...plane.storage.objects.keys()].filter((each) => each.startsWith(key.slice(0, -5))),
  ).toEqual([])
})
