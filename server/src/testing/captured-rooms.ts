import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chunkNameOf, packChunk } from '@interview-room/composer/capture/capture-archive.ts'
import {
  type CaptureEvent,
  encodeCaptureEvent,
} from '@interview-room/composer/capture/capture-events.ts'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import {
  composeRecordingJob,
  finishRecordingJob,
} from '../domain/recording/recording-files/finish-recording.job.ts'
import {
  followRecordingJob,
  reconcileRecordingsJob,
} from '../domain/recording/recordings/follow-recording.job.ts'
import { startAutomatically } from '../domain/recording/transcriptions/start-transcription.ts'
import type { Egress } from '../platform/ports/egress.ts'
import { MediaError } from '../platform/ports/media.ts'
import { StorageError } from '../platform/ports/storage.ts'
import { deleteObjectsJob } from '../platform/storage/delete-objects.job.ts'
import type { ControlPlane } from './control-plane.ts'
import { reconcilePass } from './reconcile-pass.ts'
import type { PresentPerson, RecordedRooms } from './recorded-rooms.ts'
import { runJobs } from './run-jobs.ts'

const CHUNK_MS = 1000

interface CapturedRecording {
  roomId: string
  moderator: PresentPerson
  /** Begun. */
  egress: Egress
}

/** Rooms whose recorders deliver captures in chunks. */
export interface CapturedRooms extends Deliveries {
  /** Adds a room that a moderator has recorded. */
  recording: () => Promise<CapturedRecording>
  /** The newest egress records, and its recorder is in the media room. */
  recorderBegins: (roomId: string) => Promise<void>
  /** Runs jobs as workers do: a job that fails because of provider or storage runs again, and delays no other one. */
  settle: () => Promise<void>
  compose: () => Promise<void>
  /** Returns its length. */
  becomesAvailable: (roomId: string) => Promise<number | null>
}

interface Deliveries {
  /** The keys of the egress's objects in the storage. */
  objectsOf: (egress: Egress) => string[]
  /** Delivers chunks of one second each, as a recorder does while it records. */
  deliversChunks: (egress: Egress, numbers: readonly number[]) => Promise<void>
  deliversChunk: (egress: Egress, number: number, events: readonly CaptureEvent[]) => Promise<void>
}

export function useCapturedRooms(plane: ControlPlane, rooms: RecordedRooms): CapturedRooms {
  beforeAll(() => {
    plane.deps.config.recordings.fromCaptures = true
  })
  beforeEach(() => {
    plane.media.resetEgresses()
    plane.media.onCall = undefined
    plane.storage.isDown = false
    // Tokens are signed for this moment.
    plane.now = new Date()
  })
  const settle = () => settleAll(plane, rooms)
  const compose = () => {
    const job = composeRecordingJob({ ...plane.deps, onAvailable: startAutomatically })
    return runJobs(plane.database.db, job)
  }

  async function recorderBegins(roomId: string): Promise<void> {
    rooms.becomesActive(roomId)
    const { egressId } = rooms.lastEgressOf(roomId)
    plane.media.connect(roomId, egressId, plane.now).isPerson = false
    plane.media.hidden.add(egressId)
    await settle()
    await rooms.run(reconcilePass(plane.deps))
  }

  return {
    ...deliveriesTo(plane),
    settle,
    compose,
    recorderBegins,
    async recording() {
      const roomId = await rooms.book('manual')
      const moderator = await rooms.come(roomId, 'moderator')
      await moderator.post('/recording/start')
      await recorderBegins(roomId)
      return { roomId, moderator, egress: rooms.lastEgressOf(roomId) }
    },
    async becomesAvailable(roomId) {
      await settle()
      await compose()
      await settle()
      const { status, duration_sec } = await rooms.recordingOf(roomId)
      expect(status).toBe('available')
      return duration_sec
    },
  }
}

async function settleAll(plane: ControlPlane, rooms: RecordedRooms): Promise<void> {
  const { db } = plane.database
  for (let round = 0; round < 3; round += 1) {
    await rooms.run(reconcileRecordingsJob(plane.deps))
    await runJobs(db, followRecordingJob(plane.deps)).catch((error: unknown) => {
      if (!(error instanceof MediaError) && !(error instanceof StorageError)) throw error
    })
    await runJobs(db, finishRecordingJob({ ...plane.deps, onAvailable: startAutomatically }))
    await runJobs(db, deleteObjectsJob(plane.deps))
  }
}

const keyOf = ({ outputPath }: Egress) => String(outputPath).split('/').slice(-3).join('/')

function deliveriesTo(plane: ControlPlane): Deliveries {
  let folder: string
  let count = 0
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-chunks-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function deliversChunk(
    egress: Egress,
    number: number,
    events: readonly CaptureEvent[],
  ): Promise<void> {
    const chunk = path.join(folder, String(++count))
    await mkdir(chunk)
    const content = Buffer.concat(events.map((event) => encodeCaptureEvent(event)))
    await writeFile(path.join(chunk, 'facts.jsonl'), content)
    const { archive = Buffer.alloc(0) } =
      (await packChunk(chunk, egress.startedAt?.getTime() ?? 0)) ?? {}
    const key = chunkNameOf(keyOf(egress), number)
    plane.storage.objects.set(key, { body: archive, mime: 'application/x-tar' })
  }

  return {
    deliversChunk,
    objectsOf: (egress) =>
      [...plane.storage.objects.keys()].filter((key) => key.startsWith(keyOf(egress))),
    async deliversChunks(egress, numbers) {
      const startMs = egress.startedAt?.getTime() ?? 0
      const joined = { fact: 'joined', atMs: startMs, participant: 'a', name: '' } as const
      for (const number of numbers) {
        const first: CaptureEvent[] = [joined, { fact: 'active', atMs: startMs }]
        const last = renamedAt(startMs + number * CHUNK_MS)
        await deliversChunk(egress, number, [...(number === 1 ? first : []), last])
      }
    },
  }
}

/** Something that is captured then. */
export function renamedAt(atMs: number): CaptureEvent {
  return { fact: 'renamed', atMs, participant: 'a', name: '' }
}
