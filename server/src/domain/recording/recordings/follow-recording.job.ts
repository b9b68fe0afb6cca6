import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import { enqueue, enqueueAll } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import type { LockedRoomKey, RoomKey } from '../../room-log/room-lock.ts'
import { callProvider } from './call-provider.ts'
import { applyConsequence } from './observe-segment.ts'
import { requestRecording, requestSegments, stopRecording } from './order-recording.ts'
import { compareWithProvider } from './provider-reports.ts'
import { dependsOnPublishers, nextLookAt, type Step, stepOf } from './recording-plan.ts'
import {
  finishRecordingRequest,
  FOLLOW_RECORDING,
  followRecordingRequest,
} from './recording-requests.ts'
import { findRecordable, readRecordingState, type RecordingState } from './recording-state.ts'
import {
  countRestart,
  findRecordedRoom,
  listRoomsToReconcile,
  listUnfinishedRecordings,
} from './running-store.ts'
import { listUnfinishedSegments } from './segment-store.ts'
import type { SegmentPerson } from './segment.ts'
import { settleSegments } from './settle-segments.ts'
import { findLockedRecording } from './store.ts'

type FollowDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

const RETRY_MAX_SEC = 4

/** Reconciles the recording of a room. Every change enqueues it, and it repeats while anything is unfinished. */
export function followRecordingJob(deps: FollowDeps): Job {
  return {
    kind: FOLLOW_RECORDING,
    async run({ key: roomId }) {
      const at = await followRecording(deps, roomId)
      return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
    },
    // Nothing is recorded until it succeeds.
    retryAfterSec: (failures) => Math.min(2 ** (failures - 1), RETRY_MAX_SEC),
  }
}

/** Enqueues every room whose recording is unfinished or should have started, in case a job was lost. */
export function reconcileRecordingsJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  return repeatingJob({
    kind: 'reconcile-recordings',
    everySec: config.reconcileEverySec,
    clock,
    async run() {
      const roomIds = await listRoomsToReconcile(db)
      await enqueueAll(
        db,
        roomIds.map((roomId) => followRecordingRequest(roomId)),
      )
      return 'done'
    },
  })
}

/**
 * Reconciles the recording of a room from any state. First it reads the actual state: the provider's report about each
 * segment, or a timeout without one. Then it takes one step towards the desired state. Then it sends the outstanding
 * commands to the provider. Returns the time of the next check. Throws `MediaError`, and `StorageError` after all steps
 * that need no storage.
 */
async function followRecording(deps: FollowDeps, roomId: string): Promise<Date | undefined> {
  const { db, clock, config } = deps
  const room = await findRecordedRoom(db, roomId)
  if (room === undefined) return undefined
  const known = await compareWithProvider(deps, room).catch(async (error: unknown) => {
    await settleSegments(deps, room, undefined)
    await callProvider(deps, room, { isListed: false })
    throw error
  })
  const unsettled = await settleSegments(deps, room, known)
  const lookAt = await takeStep(deps, room)
  const failure = (await callProvider(deps, room, { isListed: true })) ?? unsettled
  if (failure !== undefined) throw failure
  const unfinished = await listUnfinishedSegments(db, roomId)
  if (unfinished.every(({ recordingId }) => recordingId === null)) await finishEnded(deps, room)
  return nextLookAt(unfinished, lookAt, clock(), config.reconcileEverySec)
}

/** Returns the time of the next decision. */
async function takeStep(deps: FollowDeps, room: RoomKey): Promise<Date | undefined> {
  const { db, clock } = deps
  const seen = await readRecordingState(db, room, clock())
  if (seen === undefined) return undefined
  const publishers = dependsOnPublishers(seen)
    ? (await findRecordable(deps, room.roomId)).publishers
    : []
  const { step, lookAt } = stepOf(seen, publishers, clock())
  if (step.do === 'nothing') return lookAt
  return inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, room)
    // Decide again with the lock: meanwhile somebody may have entered, left, declined or sent a command.
    const facts = await readRecordingState(tx, room, clock())
    if (facts === undefined) return undefined
    const decision = stepOf(facts, publishers, clock())
    await act(deps, { tx, locked, facts, publishers }, decision.step)
    return decision.lookAt
  })
}

interface Scene {
  tx: Tx
  locked: LockedRoomKey
  facts: RecordingState
  publishers: readonly SegmentPerson[]
}

async function act(
  { clock, config }: FollowDeps,
  { tx, locked, facts: { running, room, last }, publishers }: Scene,
  step: Step,
): Promise<void> {
  const now = clock()
  if (step.do === 'start') {
    // In a manual room, continue with the output mode that the moderator chose.
    const isByHand = room.archiveMode === 'manual' && last !== undefined
    const { outputMode } = isByHand ? last : config.recordings
    const order = { ...locked, outputMode, isAutomatic: true, people: publishers }
    await requestRecording(tx, order, now)
  }
  if (step.do === 'stop') await stopRecording(tx, locked, { reason: step.reason, now })
  if (running === undefined) return
  if (step.do === 'go_on') {
    if (step.isRetry) await countRestart(tx, running.id)
    const { position, people } = step
    const { id: recordingId, outputMode } = running
    await requestSegments(tx, { ...locked, recordingId, outputMode, people, position }, now)
  }
  if (step.do === 'give_up') {
    const recording = await findLockedRecording(tx, locked, running.id)
    if (recording === undefined) return
    for (const consequence of step.consequences) {
      await applyConsequence(tx, recording, { consequence, now })
    }
    // Another recording may follow.
    await enqueue(tx, followRecordingRequest(recording.roomId))
  }
}

/** For the case that the provider has reported the end but the file was never made. */
async function finishEnded({ db }: FollowDeps, { roomId, tenantId }: RoomKey): Promise<void> {
  for (const id of await listUnfinishedRecordings(db, roomId)) {
    await inTransaction(db, (tx) => enqueue(tx, finishRecordingRequest({ id, tenantId })))
  }
}
