import type { RecordingFailure, Role } from '@interview-room/contract/vocabulary.ts'
import type { Egress, EgressStatus } from '../../../platform/ports/egress.ts'
import type { Span } from './spans.ts'

/**
 * requested: the provider is to be asked, or was asked and its answer is not known. The last three
 * are for good.
 */
export type SegmentStatus =
  | 'requested'
  | 'starting'
  | 'active'
  | 'ending'
  | 'complete'
  | 'failed'
  | 'aborted'

/** What a segment of a recording may be lost for; `failure_reason` of W3 where nothing is left. */
type SegmentFailure = Exclude<RecordingFailure, 'internal'>

/** Whom a segment of an individual recording shows. */
export interface SegmentPerson {
  mediaIdentity: string
  /** Null on the simple route. */
  participantId: string | null
  role: Role
  displayName: string
}

/** Nothing was captured, though the segment continues: its recorder was away, and came back. */
interface Absence extends Span {
  /** Of this person alone, who sent something in a codec that is not captured; missing where it is everybody. */
  mediaIdentity?: string
  /** Such as `video/VP9`. */
  codec?: string
}

/**
 * A segment of a recording: one egress of the provider. Between two segments the recording was paused; an
 * individual one has segments side by side, one for each person.
 */
export interface Segment {
  id: string
  roomId: string
  /** Null when it was given up: it is ended, and what it wrote is deleted. */
  recordingId: string | null
  /** How often the recording had been resumed before. */
  position: number
  person: SegmentPerson | null
  /** 2 when the first egress ended before it began. */
  attempt: number
  egressId: string | null
  /** Who writes it, or may be writing it while no answer has come. Null when nobody does, or is known to. */
  recorder: string | null
  status: SegmentStatus
  statusAt: Date
  /** When the provider was last asked to start it. */
  askedAt: Date | null
  /** Nobody has been asked to start it, or all who were have refused: nobody writes it. */
  isUntaken: boolean
  /** The last sign of life that the provider gave before it began, or while it was ending. */
  aliveAt: Date | null
  /** Since when it shall end. */
  endsAskedAt: Date | null
  storageKey: string
  startedAt: Date | null
  endedAt: Date | null
  sizeBytes: number | null
  durationSec: number | null
  /** Why it was lost. While it is `ending`: what its provider named, and the storage is still to decide. */
  failureReason: string | null
  /** The storage had nothing of it when it was asked: its file, or its chunks, may still come. */
  isOverdue: boolean
  /** Since when its recorder is not in the media room any more. */
  recorderGoneAt: Date | null
  /** What its recorder has written, as last reported; null where the provider reports nothing. */
  writtenBytes: number | null
  /** When that last grew. */
  grownAt: Date | null
  /** It was ended because its recorder stood still since then. */
  stalledAt: Date | null
  /** How far the provider's clock was ahead of ours; null where it was not compared. */
  clockOffsetMs: number | null
  /** What its capture lacks in the middle; by our clock, known once it is composed. */
  absences: readonly Absence[]
  createdAt: Date
}

/** A status is never left for one of the same or a lower rank, even when reports come late or twice. */
export const SEGMENT_RANK = {
  requested: 0,
  starting: 1,
  active: 2,
  ending: 3,
  complete: 4,
  failed: 4,
  aborted: 4,
} as const satisfies Record<SegmentStatus, number>

const FINAL_RANK = SEGMENT_RANK.complete

/** Its recorder has answered that it writes, or is about to, and nobody has asked it to end. */
export function isRunning({
  status,
  endsAskedAt,
}: Pick<Segment, 'status' | 'endsAskedAt'>): boolean {
  return (status === 'starting' || status === 'active') && endsAskedAt === null
}

/** Nothing follows. */
export function isFinal({ status }: Pick<Segment, 'status'>): boolean {
  return SEGMENT_RANK[status] === FINAL_RANK
}

/**
 * Its provider reports that it was lost at its end, or its recorder was lost. What it delivered before may be in the
 * storage, which is asked before anything follows from that.
 */
export function isInDoubt({
  status,
  failureReason,
}: Pick<Segment, 'status' | 'failureReason'>): boolean {
  return status === 'ending' && failureReason !== null
}

/**
 * It was left out of the recording, though the storage has something of it or may still get it. That stays as long as
 * the recording does.
 */
export function isLeftOut({
  status,
  sizeBytes,
  isOverdue,
}: Pick<Segment, 'status' | 'sizeBytes' | 'isOverdue'>): boolean {
  return status === 'failed' && (sizeBytes !== null || isOverdue)
}

export interface SegmentLoss {
  to: 'failed' | 'aborted'
  reason: SegmentFailure
  isOverdue?: boolean
}

/** Where a segment goes, with what belongs to that status. */
export type SegmentMove =
  | { to: 'starting' | 'active' | 'ending' }
  | {
      to: 'complete'
      file: { sizeBytes: number; durationSec: number }
      hitLimit: boolean
      /** When its media begin, where the storage says so. */
      startedAt?: Date
    }
  | SegmentLoss

export function isLoss(move: SegmentMove): move is SegmentLoss {
  return move.to === 'failed' || move.to === 'aborted'
}

/** "Egress -> status", by segment. A file that was cut at a limit is a file. */
export function moveOf({
  status,
  file,
  hasUploadFailed,
}: Pick<Egress, 'status' | 'file' | 'hasUploadFailed'>): SegmentMove {
  const failed = {
    to: 'failed',
    reason: hasUploadFailed ? 'upload_failed' : 'provider_failed',
  } as const
  const isEnded: readonly EgressStatus[] = ['complete', 'limit_reached']
  if (isEnded.includes(status)) {
    if (file === null) return failed
    return { to: 'complete', file, hitLimit: status === 'limit_reached' }
  }
  if (status === 'failed') return failed
  if (status === 'aborted') return { to: 'aborted', reason: 'provider_aborted' }
  return { to: status as 'starting' | 'active' | 'ending' }
}

/** An answer that takes longer is looked for in the provider's list before it is asked again. */
export const ANSWER_MAX_MS = 15_000
/** After a refusal by all that can be asked: none has begun, and somebody waits to be recorded. */
export const REFUSED_PAUSE_MS = 3_000
const STARTING_MAX_MS = 90_000
/** From the last sign of life: a provider that makes files one after the other may need long for each. */
const ENDING_MAX_MS = 10 * 60_000
/** Whatever the provider says. */
const ENDING_ALIVE_MAX_MS = 24 * 60 * 60_000
/** From the order to end, or the end of the media room. */
const ACTIVE_AFTER_END_MAX_MS = 5 * 60_000
/** In which a recorder that left says why: whose worker died says nothing. */
const RECORDER_GONE_MAX_MS = 5_000
/** The same for one that was asked to end: it leaves first, and its word that it is ending may be lost. */
const ENDED_RECORDER_GONE_MAX_MS = 30_000
/** With the pause between two looks, a recorder that stands still is noticed within half a minute. */
const STALLED_MAX_MS = 15_000
/** An answer that was lost is looked for this long. */
const LOST_ANSWER_MAX_MS = 2 * 60_000

/**
 * What is to be done about a segment that has been in its status for too long, and when that will
 * be. `judge`: by what the storage holds. `drop`: it is not wanted any more, and has certainly not begun.
 */
export interface Deadline {
  at: Date
  action: 'judge' | 'start_timeout' | 'give_up' | 'drop'
}

export function deadlineOf(segment: Segment): Deadline | undefined {
  if (isFinal(segment)) return undefined
  const { status, statusAt, endsAskedAt, isUntaken } = segment
  if (status === 'ending') return { at: endingEndOf(segment), action: 'judge' }
  if (status === 'active') {
    return endsAskedAt === null
      ? undefined
      : { at: after(endsAskedAt, ACTIVE_AFTER_END_MAX_MS), action: 'judge' }
  }
  if (status !== 'requested' || endsAskedAt === null) {
    return { at: after(statusAt, STARTING_MAX_MS), action: 'start_timeout' }
  }
  return isUntaken
    ? { at: endsAskedAt, action: 'drop' }
    : { at: after(endsAskedAt, LOST_ANSWER_MAX_MS), action: 'give_up' }
}

/** When a recorder that left its media room without a report counts as dead. */
export function recorderDeadlineOf({
  status,
  endsAskedAt,
  recorderGoneAt,
}: Pick<Segment, 'status' | 'endsAskedAt' | 'recorderGoneAt'>): Date | undefined {
  if (status !== 'active' || recorderGoneAt === null) return undefined
  const maxMs = endsAskedAt === null ? RECORDER_GONE_MAX_MS : ENDED_RECORDER_GONE_MAX_MS
  return after(recorderGoneAt, maxMs)
}

/** When a recorder that has written nothing more is taken for standing still, if anybody sends. */
export function stallDeadlineOf({
  status,
  endsAskedAt,
  grownAt,
}: Pick<Segment, 'status' | 'endsAskedAt' | 'grownAt'>): Date | undefined {
  if (status !== 'active' || endsAskedAt !== null || grownAt === null) return undefined
  return after(grownAt, STALLED_MAX_MS)
}

/** One that is about to begin, and of which its recorder has said nothing for as long. */
export function isSilentAtStart(
  { status, statusAt, endsAskedAt, aliveAt }: Segment,
  now: Date,
): boolean {
  if (status !== 'starting' || endsAskedAt !== null) return false
  return now >= after(aliveAt !== null && aliveAt > statusAt ? aliveAt : statusAt, STALLED_MAX_MS)
}

/** From then on the storage alone decides what there is of a segment that shall have ended. */
export function lastDeadlineOf({
  status,
  statusAt,
  endsAskedAt,
}: Pick<Segment, 'status' | 'statusAt' | 'endsAskedAt'>): Date {
  return after(status === 'ending' ? statusAt : (endsAskedAt ?? statusAt), ENDING_ALIVE_MAX_MS)
}

function endingEndOf({ statusAt, aliveAt }: Segment): Date {
  const silent = after(aliveAt !== null && aliveAt > statusAt ? aliveAt : statusAt, ENDING_MAX_MS)
  const last = after(statusAt, ENDING_ALIVE_MAX_MS)
  return silent < last ? silent : last
}

const after = (from: Date, ms: number) => new Date(from.getTime() + ms)

/** A late report: the segment has moved on since, or has ended otherwise. */
export function isBackward({ status }: Segment, { to }: SegmentMove): boolean {
  return to !== status && SEGMENT_RANK[to] <= SEGMENT_RANK[status]
}

/** The file of a segment that was given up as overdue, after all. */
export function comesLate({ status, isOverdue }: Segment, { to }: SegmentMove): boolean {
  return status === 'failed' && isOverdue && to === 'complete'
}

/** Those that failed this recording, or may have, are asked last. */
export function orderOfRecorders(
  recorders: readonly string[],
  segments: readonly Segment[],
): readonly string[] {
  const failed = new Set(segments.flatMap((each) => (hasFailedThere(each) ? each.recorder : [])))
  return recorders.toSorted((a, b) => Number(failed.has(a)) - Number(failed.has(b)))
}

/** Its recorder died, stood still, did not begin or gave no answer. */
function hasFailedThere({ status, endsAskedAt, recorderGoneAt, stalledAt }: Segment): boolean {
  if (stalledAt !== null) return true
  const hasFailed = status === 'requested' || status === 'failed' || status === 'aborted'
  return endsAskedAt === null && (hasFailed || recorderGoneAt !== null)
}

/** The second start that one ended before it began is given. */
export function isStartedAgain({ status, attempt, startedAt }: Segment): boolean {
  return status === 'aborted' && attempt === 1 && startedAt === null
}

/**
 * Began after it was asked to end: its provider did not hear of that in time. Nothing of it may be kept.
 */
export function beganTooLate({
  startedAt,
  endsAskedAt,
  clockOffsetMs,
}: Pick<Segment, 'startedAt' | 'endsAskedAt' | 'clockOffsetMs'>): boolean {
  if (startedAt === null || endsAskedAt === null) return false
  return startedAt.getTime() - (clockOffsetMs ?? 0) > endsAskedAt.getTime()
}

/**
 * Whether it may have delivered something, so that its provider's word is not enough to lose it. One that was aborted
 * before it began has nothing, and nothing is kept of one that began too late.
 */
export function mayHaveDelivered(
  segment: Pick<Segment, 'status' | 'recordingId' | 'startedAt' | 'endsAskedAt' | 'clockOffsetMs'>,
  { to }: SegmentLoss,
): boolean {
  const { status, recordingId, startedAt } = segment
  if (recordingId === null || isFinal(segment) || beganTooLate(segment)) return false
  return to === 'failed' || startedAt !== null || SEGMENT_RANK[status] >= SEGMENT_RANK.active
}

/**
 * Was asked to end before it began, by a pause or a stop, so nothing of it is lost. The provider
 * calls it aborted, or says nothing more of it.
 */
export function neverBegan(
  segment: Pick<
    Segment,
    'status' | 'startedAt' | 'endsAskedAt' | 'failureReason' | 'clockOffsetMs'
  >,
): boolean {
  const { status, startedAt, endsAskedAt, failureReason } = segment
  if (endsAskedAt === null || (startedAt !== null && !beganTooLate(segment))) return false
  return status === 'aborted' || (status === 'failed' && failureReason === 'start_timeout')
}
