import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { TranscriptWord } from '@interview-room/contract/transcripts.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { engineOf } from '../../../testing/played-transcriptions.ts'
import { type PresentPerson, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { jobRun } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { IS_FULL_RUN } from '../../../testing/scope.ts'
import { captureOf, type Utterance } from '../../../testing/spoken-capture.ts'
import { hearCounter } from '../../../testing/spoken-counter.ts'
import { deepgram } from '../../../testing/vendors/deepgram.ts'
import { readCues, voicesOf } from '../../../testing/vtt.ts'
import { composeRecordingJob } from '../recording-files/finish-recording.job.ts'
import type { Engines } from './engines/bind-engines.ts'
import { createLocalEngine } from './engines/local-command.ts'
import { startAutomatically } from './start-transcription.ts'
import { transcribeJob } from './transcribe.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
beforeAll(() => {
  plane.deps.config.recordings.fromCaptures = true
})
beforeEach(() => {
  // Tokens are signed for this moment.
  plane.now = new Date()
})

const SENTENCES = IS_FULL_RUN ? 100 : 10
const WORDS_PER_SENTENCE = 3
const WORD_EVERY_SEC = 0.7
/** Every other sentence begins before the one before it has ended. */
const startOf = (sentence: number) => 1 + Math.floor(sentence / 2) * 4.6 + (sentence % 2) * 1.3
const LENGTH_SEC = Math.ceil(startOf(SENTENCES) + 2)
const NEAR_SEC = 0.15

interface Interview {
  recordingId: string
  said: readonly Utterance[]
}

/** Two people take turns and interrupt each other. Their recording is composed. */
async function interview(): Promise<Interview> {
  const roomId = await rooms.book('manual')
  const people: PresentPerson[] = []
  for (const role of ['moderator', 'panelist'] as const) people.push(await rooms.come(roomId, role))
  const said = Array.from({ length: SENTENCES * WORDS_PER_SENTENCE }, (_, index): Utterance => {
    const sentence = Math.floor(index / WORDS_PER_SENTENCE)
    return {
      identity: String(people[sentence % 2]?.participantId),
      number: String(index).padStart(4, '0'),
      atSec: startOf(sentence) + (index % WORDS_PER_SENTENCE) * WORD_EVERY_SEC,
    }
  })
  await people[0]?.post('/recording/start')
  rooms.becomesActive(roomId)
  await rooms.settle()
  const egress = rooms.lastEgressOf(roomId)
  const startMs = plane.now.getTime()
  const body = await captureOf(said, { startMs, lengthSec: LENGTH_SEC })
  rooms.later(LENGTH_SEC * 1000)
  await people[0]?.post('/recording/stop')
  plane.media.moveEgress(egress.egressId, {
    status: 'complete',
    file: { sizeBytes: body.length, durationSec: LENGTH_SEC },
    endedAt: plane.now,
  })
  const key = String(egress.outputPath).split('/').slice(-3).join('/')
  plane.storage.objects.set(key, { body, mime: 'application/x-tar' })
  await rooms.settle()
  const { id: recordingId } = await rooms.recordingOf(roomId)
  await plane.database.db`
    update recording_segments set ends_asked_at = ends_asked_at + interval '1 hour'
     where recording_id = ${recordingId}
  `
  const job = composeRecordingJob({ ...plane.deps, onAvailable: startAutomatically })
  await runJobs(plane.database.db, job)
  await rooms.settle()
  expect((await rooms.recordingOf(roomId)).status).toBe('available')
  return { recordingId, said }
}

async function transcribed({ recordingId }: Interview, engines: Engines): Promise<string> {
  const list = `/recordings/${recordingId}/transcriptions`
  const { data } = await plane.tenant.post(list, { language: 'en-US' })
  const payload = { tenantId: plane.tenant.tenantId, recordingId }
  await transcribeJob(plane.deps, engines).run({ ...jobRun(plane), key: data.id, payload })
  expect((await plane.tenant.get(`/transcriptions/${data.id}`)).data.status).toBe('done')
  return String(data.id)
}

/** A program on this machine. */
const local = createLocalEngine({
  command: [
    process.execPath,
    path.join(import.meta.dirname, '../../../testing/hear-counter.ts'),
    '{audio}',
  ],
  languages: ['en-US'],
  withheld: new Set(),
})

/** A vendor that hears what is sent to it. */
async function withVendor<T>(work: (engines: Engines) => Promise<T>): Promise<T> {
  const ffmpeg = await findFfmpeg(undefined)
  const server = createServer((request, response) => {
    const decoder = execFile(
      ffmpeg,
      '-v error -i pipe:0 -ac 1 -ar 16000 -f s16le pipe:1'.split(' '),
      { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
      (_error, pcm) => {
        const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)
        const said = hearCounter(samples).map(
          ({ text, startSec, endSec }) => [text.trim(), startSec, endSec] as const,
        )
        const answer = deepgram.hearing(said)({ method: '', address: '', headers: {}, body: '' })
        response.setHeader('content-type', 'application/json')
        response.end('body' in answer ? answer.body : '')
      },
    )
    if (decoder.stdin !== null) request.pipe(decoder.stdin)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await work(engineOf(deepgram, `http://127.0.0.1:${port}`))
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function readWords(id: string): Promise<TranscriptWord[]> {
  return (await plane.tenant.get(`/transcriptions/${id}/words`)).data.words
}

async function readVtt(id: string): Promise<string> {
  const [row] = await plane.database.db<{ key: string }[]>`
    select result_key as key from transcriptions where id = ${id}
  `
  return String(plane.storage.objects.get(String(row?.key))?.body)
}

const ENGINES = {
  'a program on this machine': <T>(work: (engines: Engines) => Promise<T>) =>
    work({ engine_c: local }),
  'a vendor': withVendor,
}

describe('a composed recording of two people who interrupt each other', () => {
  let recorded: Interview
  beforeAll(async () => {
    plane.now = new Date()
    recorded = await interview()
  })

  // contract: getUsage › 200 with `from`, `to`, `rooms_booked`, `entries`, `participant_minutes`,
  //   `recordings`, `recorded_minutes`, `transcriptions`, `connection_tests` and `stored_bytes`
  test('counts among the stored bytes with the sound of both', async () => {
    const period = 'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z'
    const { stored_bytes } = (await plane.tenant.get(`/usage?${period}`)).data
    const { size } = (await plane.tenant.get(`/recordings/${recorded.recordingId}`)).data
    const sounds = [...plane.storage.objects].filter(([key]) => key.includes('/voices/'))
    const sizes = sounds.map(([, { body }]) => body.length)
    expect(sizes).toHaveLength(2)
    expect(stored_bytes).toBe(sizes.reduce((sum, bytes) => sum + bytes, size))
  })

  test.each(['a program on this machine', 'a vendor'] as const)(
    'is written down by %s with every word at the person who said it',
    async (engine) => {
      const id = await ENGINES[engine]((engines) => transcribed(recorded, engines))
      const words = await readWords(id)
      const said = recorded.said.toSorted((a, b) => a.atSec - b.atSec)
      expect(words.map(({ text }) => text.trim())).toEqual(said.map(({ number }) => number))
      const wrong = words.filter(({ participant_id, start_sec }, index) => {
        const { identity, atSec } = said[index] ?? { identity: '', atSec: 0 }
        return participant_id !== identity || Math.abs(start_sec - atSec) > NEAR_SEC
      })
      expect(wrong).toEqual([])

      const vtt = await readVtt(id)
      const { cues, errors } = readCues(vtt)
      expect(errors).toEqual([])
      const roles = cues.flatMap(voicesOf).flatMap(({ classes, text }) =>
        (text.match(/\d+/g) ?? []).map((number) => {
          const speaker = Math.floor(Number(number) / WORDS_PER_SENTENCE) % 2
          return [classes[0], speaker === 0 ? 'moderator' : 'panelist']
        }),
      )
      expect(roles).toHaveLength(said.length)
      expect(roles.filter(([role, expected]) => role !== expected)).toEqual([])
      for (const { identity } of said) expect(vtt).toContain(`> ${identity}\n`)
    },
  )
})
