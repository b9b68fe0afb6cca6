import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { afterEach, beforeEach, expect } from 'vitest'
import {
  finishRecordingJob,
  joinRecordingJob,
} from '../domain/recording/recording-files/finish-recording.job.ts'
import {
  followRecordingJob,
  reconcileRecordingsJob,
} from '../domain/recording/recordings/follow-recording.job.ts'
import { FOLLOW_RECORDING } from '../domain/recording/recordings/recording-requests.ts'
import { startAutomatically } from '../domain/recording/transcriptions/start-transcription.ts'
import type { Job } from '../platform/jobs/job.ts'
import type { Egress, EgressSpec } from '../platform/ports/egress.ts'
import { deleteObjectsJob } from '../platform/storage/delete-objects.job.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Guest, LiveRooms } from './live-room.ts'
import { reconcilePass } from './reconcile-pass.ts'
import { putObject, webhooksOf } from './recordings.ts'
import { runJobs } from './run-jobs.ts'

/** The file that the provider in memory writes, unless a test says otherwise. */
export const FILE = { sizeBytes: 13, durationSec: 42.5 }
export const MINUTE_MS = 60_000

export interface PresentPerson extends Guest {
  leave(): Promise<void>
}

/** Rooms that are recorded by a provider in memory, step by step. */
export interface RecordedRooms {
  book(archiveMode: 'always' | 'manual'): Promise<string>
  /** Adds a person to the media room, who publishes if the role does, and agrees to be recorded. */
  come(roomId: string, role: Role): Promise<PresentPerson>
  /** Moves the clock. */
  later(ms: number): void
  /** Runs everything that follows, as the worker would. */
  settle(): Promise<void>
  run(job: Job, key?: string): Promise<void>
  egressesOf(roomId: string): (Egress & { spec: EgressSpec })[]
  lastEgressOf(roomId: string): Egress
  becomesActive(roomId: string): void
  /** The provider has written a file, and the storage has it. */
  completes(egress: Egress): void
  recordingsOf(roomId: string): Promise<RecordingBody[]>
  /** The room's only recording. */
  recordingOf(roomId: string): Promise<RecordingBody>
  /** The statuses that W3 reported. */
  statusesOf(recordingId: string): Promise<unknown[]>
  /** The room events about recordings. */
  roomEventsOf(roomId: string): Promise<string[]>
}

export function useRecordedRooms(plane: ControlPlane, live: LiveRooms): RecordedRooms {
  async function run(job: Job, key = 'all'): Promise<void> {
    const { signal } = new AbortController()
    await job.run({ key, payload: {}, attempt: 1, signal, log: plane.deps.log })
  }

  const formerRooms = followFormerRooms(plane)

  async function settle(): Promise<void> {
    const { db } = plane.database
    const finishing = { ...plane.deps, onAvailable: startAutomatically }
    for (let round = 0; round < 3; round += 1) {
      await run(reconcileRecordingsJob(plane.deps))
      await db`
        delete from jobs where kind = ${FOLLOW_RECORDING} and key = any(${[...formerRooms]})
      `
      await runJobs(db, followRecordingJob(plane.deps))
      await runJobs(db, finishRecordingJob(finishing))
      await runJobs(db, joinRecordingJob(finishing))
      await runJobs(db, deleteObjectsJob(plane.deps))
    }
  }

  return {
    run,
    settle,
    ...peopleOf(plane, live, run),
    ...egressOf(plane),
    ...readingOf(plane),
    later(ms) {
      plane.now = new Date(plane.now.getTime() + ms)
    },
  }
}

/** Rooms that earlier tests have booked. They stay unfinished, and would cost more with every test. */
function followFormerRooms(plane: ControlPlane): ReadonlySet<string> {
  const formerRooms = new Set<string>()
  // Rooms booked before the first test are shared by all tests.
  let shared: readonly string[] = []
  const listRooms = async (): Promise<string[]> => {
    const rows = await plane.database.db<{ id: string }[]>`select id from rooms`
    return rows.map(({ id }) => id)
  }

  beforeEach(async () => {
    shared = await listRooms()
  })
  afterEach(async () => {
    for (const id of await listRooms()) if (!shared.includes(id)) formerRooms.add(id)
  })
  return formerRooms
}

function peopleOf(
  plane: ControlPlane,
  live: LiveRooms,
  run: RecordedRooms['run'],
): Pick<RecordedRooms, 'book' | 'come'> {
  return {
    async book(archiveMode) {
      const { id } = await plane.book({ archiveMode })
      return String(id)
    },

    async come(roomId, role) {
      const claims = role === 'platform_observer' ? { participant: undefined } : {}
      const guest = await live.enter(roomId, role, claims)
      const identity = guest.participantId
      if (CAPABILITIES[role].isAskedForConsent) {
        await guest.post('/events', { event_type: 'consent.given' })
      }
      plane.media.connect(roomId, identity, plane.now)
      if (role === 'observer' || role === 'platform_observer') plane.media.hidden.add(identity)
      if (role === 'moderator' || role === 'panelist') plane.media.publish(roomId, identity)
      await run(reconcilePass(plane.deps))
      return {
        ...guest,
        async leave() {
          plane.media.disconnect(roomId, identity)
          // The database times entries, and its clock has moved on. Nobody may leave before entering.
          plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
          // A connection that is missing twice is gone.
          await run(reconcilePass(plane.deps))
          await run(reconcilePass(plane.deps))
        },
      }
    },
  }
}

function egressOf(
  plane: ControlPlane,
): Pick<RecordedRooms, 'egressesOf' | 'lastEgressOf' | 'becomesActive' | 'completes'> {
  const egressesOf = (roomId: string) =>
    [...plane.media.egresses.values()].filter((each) => each.mediaRoom === roomId)

  function lastEgressOf(roomId: string): Egress {
    const egress = egressesOf(roomId).at(-1)
    if (egress === undefined) throw new Error('nothing is being written')
    return egress
  }

  return {
    egressesOf,
    lastEgressOf,
    becomesActive(roomId) {
      const { egressId } = lastEgressOf(roomId)
      plane.media.moveEgress(egressId, { status: 'active', startedAt: plane.now })
    },
    completes({ egressId, outputPath }) {
      plane.media.moveEgress(egressId, { status: 'complete', file: FILE, endedAt: plane.now })
      // The requested output path as a key of the storage.
      const key = String(outputPath).split('/').slice(-3).join('/')
      putObject(plane, key, 'x'.repeat(FILE.sizeBytes))
    },
  }
}

function readingOf(
  plane: ControlPlane,
): Pick<RecordedRooms, 'recordingsOf' | 'recordingOf' | 'statusesOf' | 'roomEventsOf'> {
  const recordingsOf = async (roomId: string): Promise<RecordingBody[]> =>
    (await plane.tenant.get(`/rooms/${roomId}/recordings`)).data.items

  return {
    recordingsOf,
    async recordingOf(roomId) {
      const items = await recordingsOf(roomId)
      expect(items).toHaveLength(1)
      return items[0] as RecordingBody
    },
    async statusesOf(recordingId) {
      const published = await webhooksOf(plane, `recording:${recordingId}`)
      return published.map(({ data }) => data['status'])
    },
    async roomEventsOf(roomId) {
      const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events?limit=100`)
      return data.items
        .map((each: { event_type: string }) => each.event_type)
        .filter((type: string) => type.startsWith('recording.'))
    },
  }
}
