import type { Logger } from 'pino'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Egress } from '../../../platform/ports/egress.ts'
import { appendRoomEvent } from '../../room-log/append-room-event.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../../room-log/room-lock.ts'
import { usedSecOf } from './capture-segments.ts'
import { announceWriting, endRecording, failRecording, moveRecording } from './move-recording.ts'
import { requestSegments } from './order-recording.ts'
import { finishRecordingRequest, followRecordingRequest } from './recording-requests.ts'
import { isRunning } from './recording.ts'
import { endInterruption, findRunning, markInterrupted } from './running-store.ts'
import { type Consequence, consequenceOf } from './segment-consequence.ts'
import {
  correctStart,
  findSegmentOf,
  isOneWritten,
  leaveToStorage,
  listSegments,
  noteAlive,
  noteGrowth,
  noteIgnored,
  requestEnd,
  updateSegment,
} from './segment-store.ts'
import {
  beganTooLate,
  comesLate,
  isBackward,
  isFinal,
  isInDoubt,
  isLoss,
  mayHaveDelivered,
  moveOf,
  SEGMENT_RANK,
  type Segment,
  type SegmentMove,
} from './segment.ts'
import { type LockedRecording, hasEnded, findLockedRecording } from './store.ts'

/**
 * Applies the provider's report about an egress. It may arrive by any channel and any number of times. The segment moves
 * forward, never back, and its recording with it. A report of a loss is not final: the storage may have what was delivered
 * before, and the room's job checks that. An egress without a segment changes nothing.
 */
export async function applyEgress(
  tx: Tx,
  room: LockedRoomKey,
  { egress, now, log }: { egress: Egress; now: Date; log: Logger },
): Promise<void> {
  const { egressId, startedAt, endedAt, updatedAt, writtenBytes } = egress
  const move = moveOf(egress)
  const segment = await findSegmentOf(tx, egressId)
  if (segment === undefined || segment.roomId !== room.roomId) {
    if (!isFinal({ status: move.to }) && (await hasEnded(tx, { ...room, egressId }))) {
      log.warn({ egressId, reported: move.to }, IGNORED)
    }
    return
  }
  if (move.to === 'ending' && segment.status === 'ending' && updatedAt !== null) {
    await noteAlive(tx, segment.id, updatedAt < now ? updatedAt : now)
  }
  if (move.to === 'active' && writtenBytes !== null) {
    await noteGrowth(tx, { id: segment.id, writtenBytes, at: now })
  }
  if (move.to === 'active' && segment.status === 'active' && startedAt !== null) {
    const isNews = await correctStart(tx, segment.id, startedAt)
    if (isNews) await publishLiveEvent(tx, room, { name: 'recording' })
    return
  }
  if (comesLate(segment, move) && (await isAwaited(tx, room, segment))) {
    log.warn({ recordingId: segment.recordingId, egressId }, 'segment file arrived late')
  } else if (isBackward(segment, move) && (await noteIgnored(tx, segment.id, move.to))) {
    log.warn({ egressId, reported: move.to, known: segment.status }, IGNORED)
  }
  if (egress.hasRecorderFailed) await continueElsewhere(tx, room, { segment, move, now })
  if (isLoss(move) && isInDoubt(segment)) return
  if (isLoss(move) && mayHaveDelivered(segment, move)) {
    const { id, status: from } = segment
    await leaveToStorage(tx, { id, from, reason: move.reason, endedAt, at: now })
    return enqueue(tx, followRecordingRequest(room.roomId))
  }
  await moveSegment(tx, room, { segment, move, startedAt, endedAt, now })
}

/**
 * Handles a recorder that ends its egress with what it had, because it was killed and started again, or its disk is full.
 * The recording does not end: it is paused and continues automatically with another segment.
 */
async function continueElsewhere(
  tx: Tx,
  room: LockedRoomKey,
  { segment, move, now }: Pick<SegmentTransition, 'segment' | 'move' | 'now'>,
): Promise<void> {
  const { recordingId, status, endsAskedAt } = segment
  const isEnd = SEGMENT_RANK[move.to] >= SEGMENT_RANK.ending
  if (recordingId === null || !isEnd || status !== 'active' || endsAskedAt !== null) return
  const recording = await findLockedRecording(tx, room, recordingId)
  if (!(await interruptRecording(tx, recording, now))) return
  // Continue without waiting for the end, because delivering the file may take a while.
  await requestEnd(tx, recordingId, now)
  await enqueue(tx, followRecordingRequest(room.roomId))
}

/**
 * Pauses a recording until another segment begins. Returns true if it is paused. In an individual recording the others
 * continue, and this person gets another segment.
 */
export async function interruptRecording(
  tx: Tx,
  recording: LockedRecording | undefined,
  now: Date,
): Promise<boolean> {
  if (recording?.outputMode !== 'composed' || recording.status !== 'started') return false
  const goesOn = await markInterrupted(tx, { id: recording.id, at: now })
  if (goesOn) await moveRecording(tx, recording, { to: 'paused', isInterruption: true, at: now })
  return goesOn
}

/**
 * The same for a segment that its recorder still has to end. A recording that was interrupted too often ends, so that the
 * next one begins without waiting for this recorder.
 */
export async function interruptOrEnd(
  tx: Tx,
  recording: LockedRecording | undefined,
  now: Date,
): Promise<void> {
  if (await interruptRecording(tx, recording, now)) return
  if (recording?.outputMode !== 'composed' || recording.status !== 'started') return
  await endRecording(tx, recording, { reason: 'provider', now })
}

const IGNORED = 'stale egress update ignored'

interface SegmentTransition {
  segment: Segment
  move: SegmentMove
  startedAt: Date | null
  endedAt: Date | null
  now: Date
}

export async function moveSegment(
  tx: Tx,
  room: LockedRoomKey,
  news: SegmentTransition,
): Promise<void> {
  const { segment, startedAt, endedAt, now } = news
  const move = unlessTooLate(news)
  const isForward = SEGMENT_RANK[move.to] > SEGMENT_RANK[segment.status]
  if (!isForward && !(comesLate(segment, move) && (await isAwaited(tx, room, segment)))) return
  const begunAt = startedOf(move, startedAt)
  const lost = isLoss(move) ? move : undefined
  const hasMoved = await updateSegment(tx, {
    id: segment.id,
    from: segment.status,
    to: move.to,
    startedAt: begunAt,
    endedAt,
    file: move.to === 'complete' ? usedOf(move.file, { segment, startedAt: begunAt }) : null,
    reason: lost?.reason ?? null,
    isOverdue: lost?.isOverdue ?? false,
    at: now,
  })
  if (!hasMoved || segment.recordingId === null) return
  if (move.to === 'active') await goOn(tx, room, { recordingId: segment.recordingId, now })
  const isBeginning = segment.startedAt === null && begunAt !== null
  if (isBeginning) await announceBeginning(tx, room, segment)
  const hitLimit = move.to === 'complete' && move.hitLimit
  const { recordingId } = segment
  await applySegmentConsequence(tx, room, { recordingId, movedId: segment.id, now, hitLimit })
  if (move.to === 'active') await publishLiveEvent(tx, room, { name: 'recording' })
}

/** A recording that has its file or has failed gets no more segments. A late file is kept separately. */
async function isAwaited(tx: Tx, room: LockedRoomKey, { recordingId }: Segment): Promise<boolean> {
  if (recordingId === null) return false
  const recording = await findLockedRecording(tx, room, recordingId)
  return recording !== undefined && (isRunning(recording) || recording.status === 'stopped')
}

/** Drops a segment that began only after it was asked to end, even if it has a file. */
function unlessTooLate({ segment, move, startedAt }: SegmentTransition): SegmentMove {
  const begun = { ...segment, startedAt: startedAt ?? segment.startedAt }
  if (move.to !== 'complete' || !beganTooLate(begun)) return move
  return { to: 'aborted', reason: 'provider_aborted' }
}

/** A recording whose recorder had died continues with this segment. */
async function goOn(
  tx: Tx,
  room: LockedRoomKey,
  { recordingId, now }: { recordingId: string; now: Date },
): Promise<void> {
  const recording = await findLockedRecording(tx, room, recordingId)
  if (recording?.status !== 'paused' || !(await endInterruption(tx, recordingId))) return
  await moveRecording(tx, recording, { to: 'started', at: now })
}

/** Publishes the beginning once. In an individual recording the segments begin one after the other. */
async function announceBeginning(tx: Tx, room: LockedRoomKey, segment: Segment): Promise<void> {
  const running = await findRunning(tx, room.roomId)
  const isAwaited = running?.status === 'started' && running.id === segment.recordingId
  if (isAwaited && !(await isOneWritten(tx, segment))) await announceWriting(tx, room)
}

function usedOf(
  { sizeBytes, durationSec }: { sizeBytes: number; durationSec: number },
  { segment, startedAt }: Pick<SegmentTransition, 'segment' | 'startedAt'>,
): { sizeBytes: number; durationSec: number } {
  const begun = { ...segment, startedAt: startedAt ?? segment.startedAt }
  return { sizeBytes, durationSec: usedSecOf(begun, durationSec) }
}

/** The provider also reports a start for an egress without media. */
function startedOf({ to }: SegmentMove, startedAt: Date | null): Date | null {
  return to === 'active' || to === 'ending' || to === 'complete' ? startedAt : null
}

interface SegmentChange {
  recordingId: string
  movedId: string
  now: Date
  /** The file was cut at one of the provider's limits. */
  hitLimit: boolean
}

/** Applies the consequences of the segment's move to its recording. */
async function applySegmentConsequence(
  tx: Tx,
  room: LockedRoomKey,
  { recordingId, movedId, now, hitLimit }: SegmentChange,
): Promise<void> {
  const recording = await findLockedRecording(tx, room, recordingId)
  if (recording === undefined) return
  if (hitLimit) await noteLimit(tx, recording)
  const segments = await listSegments(tx, recording.id)
  for (const consequence of consequenceOf(recording, segments, movedId)) {
    await applyConsequence(tx, recording, { consequence, now })
  }
}

/** Applies the consequences of its segments to a locked recording. */
export async function applyConsequence(
  tx: Tx,
  recording: LockedRecording,
  { consequence, now }: { consequence: Consequence; now: Date },
): Promise<void> {
  const { id, tenantId, roomId, outputMode } = recording
  switch (consequence.do) {
    case 'again': {
      const { position, person } = consequence.segment
      const people = person === null ? [] : [person]
      const order = { tenantId, roomId, recordingId: id, outputMode, people, position, attempt: 2 }
      return requestSegments(tx, order, now)
    }
    case 'note_loss':
      return noteLoss(tx, recording, consequence.reason)
    case 'stop':
      return endRecording(tx, recording, { reason: 'provider', now })
    case 'fail':
      return failRecording(tx, recording, { reason: consequence.reason, now })
    case 'finish':
      return enqueue(tx, finishRecordingRequest(recording))
  }
}

/** Logs that a segment is lost. The rest is kept, and the recording still becomes available. */
export async function noteLoss(tx: Tx, recording: LockedRecording, reason: string): Promise<void> {
  const payload = { recording_id: recording.id, failure_reason: reason, is_partly_kept: true }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.failed', payload })
}

async function noteLimit(tx: Tx, recording: LockedRecording): Promise<void> {
  const payload = { recording_id: recording.id }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.limit_reached', payload })
}
