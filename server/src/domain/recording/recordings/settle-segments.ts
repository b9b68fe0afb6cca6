import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { MediaError } from '../../../platform/ports/media.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { deleteWrittenRequests } from '../../../platform/storage/delete-objects.job.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import { interruptOrEnd, interruptRecording, moveSegment } from './apply-egress.ts'
import { isCapture } from './capture-segments.ts'
import { judge } from './measure-segment.ts'
import { undoIntention } from './order-recording.ts'
import {
  isRecorderOverdue,
  isStallOverdue,
  type Observation,
  type ObservedRoom,
  type Settlement,
  settlementsOf,
} from './recording-plan.ts'
import { reconcileRecordingRequest } from './recording-requests.ts'
import {
  deleteSegment,
  findSegmentByKey,
  findSegmentOf,
  leaveToStorage,
  listUnfinishedSegments,
  markStalled,
  noteRecorderSeen,
} from './segment-store.ts'
import {
  type Deadline,
  isLoss,
  isRunning,
  isSilentAtStart,
  type Segment,
  type SegmentLoss,
  type SegmentMove,
} from './segment.ts'
import { findLockedRecording } from './store.ts'

type SettleDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'log'>

/**
 * Ends segments that took the provider too long, that are listed as active although their recorder is dead or has stalled,
 * or that belong to no recording. Work that the provider or the storage refuses waits for the next run and delays nothing
 * else. Returns the first such error. Throws `MediaError`.
 */
export async function settleSegments(
  deps: SettleDeps,
  room: RoomKey,
  known: Pick<Observation, 'silent' | 'forgotten'>,
): Promise<MediaError | StorageError | undefined> {
  const unfinished = await listUnfinishedSegments(deps.db, room.roomId)
  const observed = await observe(deps, room.roomId, unfinished)
  return settleAll(deps, room, { unfinished, observation: { room: observed, ...known } })
}

/**
 * The same while no recorder reports its activity. A recorder that does not answer may have stalled. The media room shows
 * whether it is connected.
 */
export async function settleSegmentsBlindly(deps: SettleDeps, room: RoomKey): Promise<void> {
  const unfinished = await listUnfinishedSegments(deps.db, room.roomId)
  const observed = await observe(deps, room.roomId, unfinished).catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error
    return undefined
  })
  const silent = new Set(unfinished.map(({ recorder }) => recorder))
  await settleAll(deps, room, { unfinished, observation: { room: observed, silent } })
}

async function settleAll(
  deps: SettleDeps,
  room: RoomKey,
  { unfinished, observation }: { unfinished: readonly Segment[]; observation: Observation },
): Promise<MediaError | StorageError | undefined> {
  const failures: (MediaError | StorageError)[] = []
  for (const settlement of settlementsOf(unfinished, observation, deps.clock())) {
    await settle(deps, room, settlement).catch((error: unknown) => {
      if (!(error instanceof MediaError) && !(error instanceof StorageError)) throw error
      failures.push(error)
    })
  }
  return failures[0]
}

/** Asks the provider only for what is needed now. */
async function observe(
  { media, clock }: SettleDeps,
  roomId: string,
  unfinished: readonly Segment[],
): Promise<ObservedRoom> {
  const now = clock()
  const isDue = unfinished.some((each) => isRecorderOverdue(each, now) || isStallOverdue(each, now))
  return { connections: isDue ? await media.listConnections(roomId) : undefined }
}

async function settle(deps: SettleDeps, room: RoomKey, settlement: Settlement): Promise<void> {
  const { db, clock } = deps
  switch (settlement.do) {
    case 'discard':
      return discard(deps, settlement.segment)
    case 'recorder_is_back':
      return noteRecorderSeen(db, { egressId: settlement.egressId, at: clock() })
    case 'recorder_is_dead':
      return interrupt(deps, room, settlement)
    case 'recorder_stands_still':
      return replaceRecorder(deps, room, { segment: settlement.segment, ...STANDS_STILL })
    case 'overdue':
      return end(deps, room, settlement)
    case 'look_in_storage':
      return takeStored(deps, room, settlement.segment)
    case 'judge_loss':
      return judgeLoss(deps, room, settlement.segment)
  }
}

/**
 * Discards a segment without a recording. Its file is also deleted later again, because the provider may store it after its
 * last notification.
 */
async function discard({ db, clock }: SettleDeps, { id, storageKey }: Segment): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const each of deleteWrittenRequests([storageKey], clock())) await enqueue(tx, each)
    await deleteSegment(tx, id)
  })
}

/**
 * Handles a worker that died without a report: the recording is paused and resumes automatically. If its segment had not
 * begun, nothing is lost, and the segment gets another egress. Neither waits for a storage that does not answer. The
 * delivered data is looked up once it does.
 */
async function interrupt(
  deps: SettleDeps,
  room: RoomKey,
  { segment, isCertain }: Extract<Settlement, { do: 'recorder_is_dead' }>,
): Promise<void> {
  const { db, media, clock, log } = deps
  const { recordingId, egressId, recorder, recorderGoneAt } = segment
  const stored = await judgeIfAnswered(deps, segment)
  const hasNotBegun = segment.status === 'starting' && stored !== undefined && isLoss(stored)
  const isInterrupted = await inTransaction(db, async (tx) => {
    const now = clock()
    const locked = await lockRoom(tx, room)
    // Meanwhile it may have been paused or stopped, its end may have been reported, or its recorder may have returned.
    const current = await findSegmentOf(tx, egressId)
    if (current === undefined || current.status !== segment.status) return false
    if (!isCertain && !isRecorderOverdue(current, now)) return false
    const recording =
      recordingId === null ? undefined : await findLockedRecording(tx, locked, recordingId)
    // If it was already asked to end, the next segment may be running.
    if (current.endsAskedAt === null && !hasNotBegun) await interruptRecording(tx, recording, now)
    const end = { endedAt: recorderGoneAt, now }
    if (stored === undefined) await leaveInDoubt(tx, segment, end)
    else {
      const move = hasNotBegun ? ABORTED : stored
      const startedAt = startOf(segment, stored)
      await moveSegment(tx, locked, { segment, move, startedAt, ...end })
    }
    return true
  })
  if (!isInterrupted) return
  log.error({ room: room.roomId, recordingId, egressId, recorder }, 'ALARM: recorder lost')
  if (isCertain) return
  await media.stopEgress({ egressId, recorder }).catch((error: unknown) => {
    // A lost recorder does not answer.
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, egressId }, 'stopping the egress of a lost recorder failed')
  })
}

/** Returns undefined while the storage does not answer. */
async function judgeIfAnswered(
  deps: SettleDeps,
  segment: Segment,
): Promise<SegmentMove | undefined> {
  return judge(deps, segment).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    const { recordingId, egressId } = segment
    deps.log.warn(
      { err: error, recordingId, egressId },
      'storage unavailable, recording segment judged later',
    )
    return undefined
  })
}

async function leaveInDoubt(
  tx: Tx,
  { id, status: from }: Segment,
  { endedAt, now }: { endedAt: Date | null; now: Date },
): Promise<void> {
  await leaveToStorage(tx, { id, from, reason: 'provider_failed', endedAt, at: now })
}

/** A reason to continue with another recorder. */
export interface Replacement {
  /** True if the segment still needs to be replaced. */
  isDue: (current: Segment, now: Date) => boolean
  alarm: string
}

const STANDS_STILL: Replacement = {
  isDue: isStallOverdue,
  alarm: 'ALARM: the recorder of a room stands still',
}

/** Its recorder is unreachable. It is asked to end as soon as it answers, and another one continues meanwhile. */
export const UNREACHABLE: Replacement = {
  isDue: isRunning,
  alarm: 'ALARM: the recorder of a room cannot be reached',
}

/** The same before it has begun, if its recorder accepts connections but reports nothing: its process may be stopped. */
export const SILENT_AT_START: Replacement = {
  isDue: isSilentAtStart,
  alarm: 'ALARM: the recorder of a room does not begin, and says nothing',
}

/**
 * Asks a stalled recorder to end, and keeps what it has written. The recording is paused and continues automatically with
 * another one.
 */
export async function replaceRecorder(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  room: RoomKey,
  { segment, isDue, alarm }: Replacement & { segment: Segment },
): Promise<void> {
  const { db, clock, log } = deps
  const { id, recordingId, egressId, recorder, storageKey } = segment
  const isReplaced = await inTransaction(db, async (tx) => {
    const now = clock()
    const locked = await lockRoom(tx, room)
    const current = await findSegmentByKey(tx, { roomId: room.roomId, storageKey })
    if (current === undefined || !isDue(current, now)) return false
    await markStalled(tx, { id, stalledAt: current.grownAt ?? now, at: now })
    if (recordingId === null) return true
    await interruptOrEnd(tx, await findLockedRecording(tx, locked, recordingId), now)
    await enqueue(tx, reconcileRecordingRequest(room.roomId))
    return true
  })
  if (!isReplaced) return
  log.error({ room: room.roomId, recordingId, egressId, recorder }, alarm)
}

async function end(
  deps: SettleDeps,
  room: RoomKey,
  { segment, action }: Extract<Settlement, { do: 'overdue' }>,
): Promise<void> {
  const { media, log } = deps
  if (action !== 'drop') {
    log.warn({ room: room.roomId, status: segment.status, action }, 'recording segment overdue')
  }
  const { recordingId, egressId, recorder } = segment
  if (action === 'start_timeout' && recordingId !== null) {
    // Before the provider has answered, there is no recording that could fail.
    if (await undoIntention(deps, { ...room, recordingId })) return
  }
  const move = await moveOfOverdue(deps, segment, action)
  await settleAs(deps, room, { segment, move })
  if (egressId !== null) await media.stopEgress({ egressId, recorder })
}

/** Takes the stored part of a segment whose end was not reported. If nothing is stored, its provider still decides. */
async function takeStored(deps: SettleDeps, room: RoomKey, segment: Segment): Promise<void> {
  const move = await judge(deps, segment)
  if (move.to === 'complete') await settleAs(deps, room, { segment, move })
}

/**
 * Its provider reports a loss, for example because the storage refused the last part, or its recorder was lost while the
 * storage did not answer. The delivered data is kept. Without any, the segment is lost for the reported reason.
 */
async function judgeLoss(deps: SettleDeps, room: RoomKey, segment: Segment): Promise<void> {
  const { recordingId, egressId, failureReason: reason } = segment
  const stored = await judge(deps, segment)
  const isKept = stored.to === 'complete'
  const seen = { room: room.roomId, recordingId, egressId, reason, isKept }
  deps.log.warn(seen, 'lost recording segment judged by the storage')
  await settleAs(deps, room, { segment, move: isKept ? stored : lossOf(segment, stored) })
}

/** Keeps the reported reason: an aborted segment may never have begun, and then nothing is lost with it. */
function lossOf({ failureReason }: Segment, stored: SegmentLoss): SegmentLoss {
  if (failureReason === ABORTED.reason) return ABORTED
  return { ...stored, reason: failureReason as SegmentLoss['reason'] }
}

async function settleAs(
  { db, clock }: SettleDeps,
  room: RoomKey,
  { segment, move }: { segment: Segment; move: SegmentMove },
): Promise<void> {
  const startedAt = startOf(segment, move)
  const endedAt = segment.endedAt ?? segment.endsAskedAt ?? segment.recorderGoneAt
  await inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, room)
    await moveSegment(tx, locked, { segment, move, startedAt, endedAt, now: clock() })
  })
}

/** A segment whose recorder was lost may have begun and delivered without a report. */
async function moveOfOverdue(
  deps: SettleDeps,
  segment: Segment,
  action: Deadline['action'],
): Promise<SegmentMove> {
  if (action === 'judge') return judge(deps, segment)
  const stored = isCapture(segment) ? await judge(deps, segment) : undefined
  return stored?.to === 'complete' ? stored : LOST[action]
}

/** The start according to the storage, if nobody reported it. */
function startOf({ startedAt }: Segment, stored: SegmentMove): Date | null {
  return startedAt === null && stored.to === 'complete' ? (stored.startedAt ?? null) : null
}

const ABORTED = { to: 'aborted', reason: 'provider_aborted' } as const satisfies SegmentMove
const LOST = {
  start_timeout: { to: 'failed', reason: 'start_timeout' },
  give_up: { to: 'failed', reason: 'provider_failed' },
  drop: ABORTED,
} as const satisfies Record<string, SegmentMove>
