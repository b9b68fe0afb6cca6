import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Egress, EgressSpec } from '../../../platform/ports/egress.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import type { LockedRoomKey, RoomKey } from '../../room-log/room-lock.ts'
import { applyEgress } from './apply-egress.ts'
import { captureKeyOf, clockOffsetMs } from './capture-segments.ts'
import { publishStatusChange } from './move-recording.ts'
import { commandOf } from './recording-plan.ts'
import {
  findRecordedRoom,
  findRunning,
  publishIntention,
  type RecordedRoom,
  type RunningRow,
} from './running-store.ts'
import {
  claimStart,
  findSegmentByKey,
  isBeingAsked,
  listUnfinishedSegments,
  noteAskFailed,
  setEgress,
} from './segment-store.ts'
import { ANSWER_MAX_MS, isFinal, type Segment } from './segment.ts'
import { videoFormOf } from './video-form.ts'

/** A provider answers a stop of what has not begun yet only after many seconds. */
const AWAITED_MAX_MS = 1_000

const POLL_MS = 50

type StartDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Asks the provider for every segment that was requested, and to end what shall end. One that it does not
 * answer for, such as a stop whose worker died, keeps none of the others. Throws the first `MediaError`.
 */
export async function callProvider(deps: StartDeps, roomId: string): Promise<void> {
  const room = await findRecordedRoom(deps.db, roomId)
  if (room === undefined) return
  const failures: MediaError[] = []
  for (const segment of await listUnfinishedSegments(deps.db, roomId)) {
    await ask(deps, room, segment).catch((error: unknown) => {
      if (!(error instanceof MediaError)) throw error
      failures.push(error)
    })
  }
  if (failures[0] !== undefined) throw failures[0]
}

async function ask(deps: StartDeps, room: RecordedRoom, segment: Segment): Promise<void> {
  const command = commandOf(segment)
  if (command?.do === 'start') await startSegment(deps, room, segment)
  if (command?.do === 'stop') await deps.media.stopEgress(command.egressId)
}

/**
 * Asks the provider to write a segment of a recording, unless somebody else asks at this moment.
 * Throws `MediaError` when it refuses or is silent.
 */
async function startSegment(deps: StartDeps, room: RecordedRoom, segment: Segment): Promise<void> {
  const { db, media, storage, clock } = deps
  const now = clock()
  const before = new Date(now.getTime() - ANSWER_MAX_MS)
  const wanted = keyOf(room, segment, deps.config)
  const storageKey = await claimStart(db, { id: segment.id, now, before, storageKey: wanted })
  if (storageKey === undefined) return
  const output = await storage.egressOutput(storageKey)
  const askedAt = clock()
  const egress = await media
    .startEgress(specOf(room, segment, output))
    .catch(async (error: unknown) => {
      await noteAskFailed(db, segment.id, clock())
      throw error
    })
  const { startedAt } = egress
  const times = { askedAt, answeredAt: clock() }
  const offsetMs = startedAt === null ? null : clockOffsetMs(startedAt, times)
  await adoptEgress(deps, room, { storageKey, egress, clockOffsetMs: offsetMs })
}

/** The capture is asked for, where the provider delivers it. The simulated one delivers videos alone. */
function keyOf(
  { isSandbox }: RecordedRoom,
  { storageKey }: Segment,
  { recordings }: Pick<Config, 'recordings'>,
): string {
  return recordings.fromCaptures && isSandbox !== true ? captureKeyOf(storageKey) : storageKey
}

function specOf(room: RecordedRoom, { person }: Segment, output: EgressSpec['output']): EgressSpec {
  const identity = person?.mediaIdentity
  return { mediaRoom: room.roomId, identity, ...videoFormOf(room), output }
}

interface AdoptedEgress {
  storageKey: string
  egress: Egress
  /** Known of an egress whose answer came. */
  clockOffsetMs?: number | null
}

/**
 * Notes which egress writes a segment, and shows the recording when it is the first to be known. An
 * egress for a segment that has another one, or is gone, is ended.
 */
export async function adoptEgress(
  { db, media, clock, log }: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  room: RoomKey,
  { storageKey, egress, clockOffsetMs = null }: AdoptedEgress,
): Promise<void> {
  const isOurs = await inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, room)
    const segment = await findSegmentByKey(tx, { roomId: room.roomId, storageKey })
    if (segment === undefined || isFinal(segment)) return false
    const { egressId } = egress
    if (!(await setEgress(tx, { id: segment.id, egressId, clockOffsetMs })))
      return segment.egressId === egressId
    if (segment.recordingId !== null) await publish(tx, locked, { ...segment, egressId })
    await applyEgress(tx, locked, { egress, now: clock(), log })
    return true
  })
  if (!isOurs) await media.stopEgress(egress.egressId)
}

async function publish(
  tx: Tx,
  locked: LockedRoomKey,
  { recordingId, egressId }: { recordingId: string | null; egressId: string },
): Promise<void> {
  if (recordingId === null) return
  const { seq, at } = await nextRoomMoment(tx, locked)
  if (!(await publishIntention(tx, { id: recordingId, egressId, seq, at }))) return
  const recording = { id: recordingId, ...locked }
  await publishStatusChange(tx, recording, {
    to: 'started',
    from: null,
    failureReason: null,
    version: 1,
    at,
  })
}

/**
 * The request is stored in rows, and a job brings it to the provider: this only saves the wait for the job,
 * and keeps the caller for no longer than a moment.
 */
export async function reconcileRecordingNow(deps: StartDeps, roomId: string): Promise<void> {
  const { log } = deps
  const asking = callProvider(deps, roomId).catch((error: unknown) => {
    const level = error instanceof MediaError ? 'warn' : 'error'
    log[level]({ err: error, room: roomId }, 'recording reconciliation failed, will be retried')
  })
  await Promise.race([asking, delay(AWAITED_MAX_MS, undefined, { ref: false })])
}

/**
 * The recording that runs, when the provider has answered the one who is calling it at this moment: another
 * request, another replica, or the job. At most as long as an answer is waited for.
 */
export async function awaitBeginning(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  roomId: string,
): Promise<RunningRow | undefined> {
  const deadlineMs = performance.now() + ANSWER_MAX_MS
  for (;;) {
    const running = await findRunning(db, roomId)
    if (running?.isIntention !== true || performance.now() > deadlineMs) return running
    const since = new Date(clock().getTime() - ANSWER_MAX_MS)
    if (!(await isBeingAsked(db, { recordingId: running.id, since }))) {
      // It may have been answered between the two looks.
      return findRunning(db, roomId)
    }
    await delay(POLL_MS)
  }
}
