import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { zipFiles } from '../../../platform/media-files/zip-files.ts'
import { useTranscriptions } from '../../../testing/transcriptions.ts'
import { makeVideo } from '../../../testing/videos.ts'
import type { Engine } from './engines/engine.ts'

const { plane, start, run, read, result, source, webhooks } = useTranscriptions()

/** An engine that hears the same in every audio and records their lengths. */
function hearing(audioMaxSec: number) {
  const heardSec: number[] = []
  const engine: Engine = {
    name: 'fake',
    capabilities: {
      languages: ['en-US', 'ja-JP'],
      translatesFrom: [],
      audioMaxSec,
      audioMaxBytes: 1e9,
      speakerLabels: false,
      audioFormat: 'wav',
    },
    async submit({ path, reference }) {
      const { size } = await stat(path)
      heardSec.push(Math.round((size / 32_000) * 10) / 10)
      const text = ` part ${reference.split('-').at(-2)}`
      return { kind: 'done', words: [{ text, startSec: 0.5, endSec: 0.9, speaker: null }] }
    },
  }
  return { engines: { engine_c: engine }, heardSec }
}

interface PersonFile {
  role: string
  participantId?: string
  offsetSec: number
  isBroken?: boolean
}

const nameOf = ({ role }: PersonFile) => `${role}.mp4`

/** A transcription of an individual recording with a file for each person. */
async function startIndividual(people: readonly PersonFile[]) {
  const started = await start()
  const { size } = await stat(source())
  const archive = zipFiles({
    files: people.map((each) => ({
      name: nameOf(each),
      sizeBytes: each.isBroken === true ? BROKEN.length : size,
      open: async () =>
        each.isBroken === true ? Readable.from([BROKEN]) : createReadStream(source()),
    })),
    manifest: {
      files: people.map((each) => ({
        name: nameOf(each),
        participant_id: each.participantId ?? null,
        role: each.role,
        offset_sec: each.offsetSec,
        display_name: `${each.role} & co`,
      })),
    },
    madeAt: plane.now,
  })
  const key = `${plane.tenant.tenantId}/recordings/${started.recordingId}`
  await plane.storage.put(key, archive, { mime: 'application/zip' })
  await plane.database.db`
    update recordings set output_mode = 'individual' where id = ${started.recordingId}
  `
  return started
}

const BROKEN = Buffer.from('no video')

test('each file of an individual recording is transcribed separately, with name and role', async () => {
  const participantId = randomUUID()
  const started = await startIndividual([
    { role: 'moderator', offsetSec: 0 },
    { role: 'panelist', participantId, offsetSec: 61 },
  ])
  const { engines, heardSec } = hearing(3600)
  await run(started, engines)
  expect(heardSec).toEqual([2, 2])
  expect(await result(started)).toBe(
    `WEBVTT\n\nNOTE\n<v.panelist panelist &amp; co> ${participantId}\n\n` +
      '00:00:00.500 --> 00:00:00.900\n<v.moderator moderator &amp; co>part 0</v>\n\n' +
      '00:01:01.500 --> 00:01:01.900\n<v.panelist panelist &amp; co>part 1</v>\n',
  )
  const { data } = await plane.tenant.get(`/transcriptions/${started.id}/words`)
  expect(data.words).toMatchObject([
    { participant_id: null, role: 'moderator', start_sec: 0.5 },
    { participant_id: participantId, role: 'panelist', start_sec: 61.5 },
  ])
})

test('a file of an individual recording that cannot be read is left out of its transcript', async () => {
  const broken = { offsetSec: 0, isBroken: true }
  const started = await startIndividual([
    { role: 'moderator', ...broken },
    { role: 'panelist', offsetSec: 0 },
  ])
  const { engines } = hearing(3600)
  await run(started, engines)
  expect(await result(started)).toContain('<v.panelist panelist &amp; co>part 0</v>')
  const lost = await startIndividual([{ role: 'moderator', ...broken }])
  for (let look = 0; look < 4; look += 1) await run(lost, engines)
  expect(await webhooks(lost)).toEqual([['request_error', 'unsupported_audio']])
})

test("the time before a file's video and audio begin is silent, and not sent", async () => {
  const file = path.join(path.dirname(source()), 'late.mp4')
  await makeVideo(file, { durationSec: 2, startSec: 5 })
  const { engines, heardSec } = hearing(3600)
  const started = await start({}, file)
  await run(started, engines)
  expect(heardSec).toEqual([2.5])
  // The engine hears it after half a second, which is where the file begins to sound.
  const { data } = await plane.tenant.get(`/transcriptions/${started.id}/words`)
  expect(data.words[0].start_sec).toBeCloseTo(5, 1)
  expect((await read(started)).sent_sec).toBeCloseTo(2.5, 1)
})

test("an audio that is longer than the engine's limit is sent in parts", async () => {
  const started = await start()
  const { engines, heardSec } = hearing(1)
  await run(started, engines)
  expect(heardSec.length).toBeGreaterThan(1)
  for (const sec of heardSec) expect(sec).toBeLessThanOrEqual(1.1)
  expect(await result(started)).toContain('part 0')
})
