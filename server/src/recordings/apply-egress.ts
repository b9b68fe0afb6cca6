import type { Logger } from 'pino'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import type { Egress } from '../media/egress.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { announceWriting } from './announce.ts'
import { followSegments } from './follow-segments.ts'
import { moveRecording } from './move-recording.ts'
import { endInterruption, findRunning } from './running-store.ts'
import {
  comesLate,
  isBackward,
  isFinal,
  moveOf,
  SEGMENT_RANK,
  type Segment,
  type SegmentMove,
} from './segment.ts'
import {
  correctStart,
  findSegmentOf,
  isOneWritten,
  noteAlive,
  noteIgnored,
  updateSegment,
} from './segment-store.ts'
import { hasEnded, lockRecording } from './store.ts'

/**
 * What the provider tells of an egress, by whatever way and however often: the segment moves
 * forward, never back, and its recording with it. An egress that is
 * nobody's changes nothing.
 */
export async function applyEgress(
  tx: Tx,
  room: HeldRoomKey,
  { egress, now, log }: { egress: Egress; now: Date; log: Logger },
): Promise<void> {
  const { egressId, startedAt, endedAt, updatedAt } = egress
  const move = moveOf(egress)
  const segment = await findSegmentOf(tx, egressId)
  if (segment === undefined || segment.roomId !== room.roomId) {
    if (!isFinal({ status: move.to }) && (await hasEnded(tx, { ...room, egressId }))) {
      log.warn({ egressId, told: move.to }, IGNORED)
    }
    return
  }
  if (move.to === 'ending' && segment.status === 'ending' && updatedAt !== null) {
    await noteAlive(tx, segment.id, updatedAt < now ? updatedAt : now)
  }
  if (move.to === 'active' && segment.status === 'active' && startedAt !== null) {
    const isNews = await correctStart(tx, segment.id, startedAt)
    if (isNews) await tellRoom(tx, room, { name: 'recording' })
    return
  }
  if (comesLate(segment, move)) {
    log.warn({ recordingId: segment.recordingId, egressId }, 'the file of a part came late')
  } else if (isBackward(segment, move) && (await noteIgnored(tx, segment.id, move.to))) {
    log.warn({ egressId, told: move.to, known: segment.status }, IGNORED)
  }
  await moveSegment(tx, room, { segment, move, startedAt, endedAt, now })
}

const IGNORED = 'ignored: what was told of an egress would move a recording backwards'

interface SegmentNews {
  segment: Segment
  move: SegmentMove
  startedAt: Date | null
  endedAt: Date | null
  now: Date
}

export async function moveSegment(tx: Tx, room: HeldRoomKey, news: SegmentNews): Promise<void> {
  const { segment, move, startedAt, endedAt, now } = news
  const isForward = SEGMENT_RANK[move.to] > SEGMENT_RANK[segment.status]
  if (!isForward && !comesLate(segment, move)) return
  const begunAt = startedOf(move, startedAt)
  const lost = move.to === 'failed' || move.to === 'aborted' ? move : undefined
  const hasMoved = await updateSegment(tx, {
    id: segment.id,
    from: segment.status,
    to: move.to,
    startedAt: begunAt,
    endedAt,
    file: move.to === 'complete' ? move.file : null,
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
  await followSegments(tx, room, { recordingId, movedId: segment.id, now, hitLimit })
  if (move.to === 'active') await tellRoom(tx, room, { name: 'recording' })
}

/** A recording whose recorder had died goes on with this part. */
async function goOn(
  tx: Tx,
  room: HeldRoomKey,
  { recordingId, now }: { recordingId: string; now: Date },
): Promise<void> {
  const recording = await lockRecording(tx, room, recordingId)
  if (recording?.status !== 'paused' || !(await endInterruption(tx, recordingId))) return
  await moveRecording(tx, recording, { to: 'started', at: now })
}

/** The parts of an individual recording begin one after the other: the room is told once. */
async function announceBeginning(tx: Tx, room: HeldRoomKey, segment: Segment): Promise<void> {
  const running = await findRunning(tx, room.roomId)
  const isAwaited = running?.status === 'started' && running.id === segment.recordingId
  if (isAwaited && !(await isOneWritten(tx, segment))) await announceWriting(tx, room)
}

/** The provider names a beginning before media was written, too. */
function startedOf({ to }: SegmentMove, startedAt: Date | null): Date | null {
  return to === 'active' || to === 'ending' || to === 'complete' ? startedAt : null
}
