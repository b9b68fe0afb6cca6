import type { RecordingFailure, Role } from '@interview-room/contract/vocabulary.ts'
import type { Egress, EgressStatus, TrackLack } from '../../../platform/ports/egress.ts'
import type { Span } from './spans.ts'

/** requested: the provider is about to be asked, or was asked and the answer is unknown. The last three are final. */
export type SegmentStatus =
  | 'requested'
  | 'starting'
  | 'active'
  | 'ending'
  | 'complete'
  | 'failed'
  | 'aborted'

/** The reason of a lost segment; `failure_reason` of W3 if no segment is left. */
type SegmentFailure = Exclude<RecordingFailure, 'internal'>

/** The person in a segment of an individual recording. */
export interface SegmentPerson {
  mediaIdentity: string
  /** Null on the simple route. */
  participantId: string | null
  role: Role
  displayName: string
}

/** A gap in a segment's capture, by the service's clock. */
interface Absence extends Span {
  /** The person that something is missing of. Undefined if nobody was captured, or the capture does not name people. */
  mediaIdentity?: string
  /** Undefined while the recorder was away, and in rows of former releases. */
  reason?: 'no_media' | 'encrypted' | 'codec_unsupported'
  /** The codec that is not captured, such as `video/VP9`. */
  codec?: string
  /** Set while the segment runs, as its recorder reports it. The composition replaces it by what the packets show. */
  track?: TrackLack['track']
}

/**
 * A segment of a recording: one egress of the provider. The recording was paused between two segments. An individual
 * recording has parallel segments, one per person.
 */
export interface Segment {
  id: string
  roomId: string
  /** Null when it was given up: it is ended, and what it wrote is deleted. */
  recordingId: string | null
  /** Number of resumes before it. */
  position: number
  person: SegmentPerson | null
  /** 2 if the first egress ended before it began. */
  attempt: number
  egressId: string | null
  /**
   * The recorder that writes it, or may be writing it while there is no answer. Null if there is none, or none is known.
   */
  recorder: string | null
  status: SegmentStatus
  statusAt: Date
  /** The last time that the provider was asked to start it. */
  askedAt: Date | null
  /** No recorder writes it: none has been asked yet, or all have refused. */
  isUntaken: boolean
  /** The provider's last sign of life before it began, or while it was ending. */
  aliveAt: Date | null
  /** The time when it was asked to end. */
  endsAskedAt: Date | null
  storageKey: string
  startedAt: Date | null
  endedAt: Date | null
  sizeBytes: number | null
  durationSec: number | null
  /** The reason of its loss. While it is `ending`: the provider's reason, until the storage decides. */
  failureReason: string | null
  /** The storage had neither its file nor its chunks when checked. They may still arrive. */
  isOverdue: boolean
  /** The time when its recorder left the media room. */
  recorderGoneAt: Date | null
  /** The bytes written by its recorder, as last reported; null if the provider reports none. */
  writtenBytes: number | null
  /** The time of their last growth. */
  grownAt: Date | null
  /** Set if it was ended because its recorder had stalled since then. */
  stalledAt: Date | null
  /** The lead of the provider's clock; null if it was not compared. */
  clockOffsetMs: number | null
  /** Gaps in the middle of its capture, by the service's clock. Known once it is composed. */
  absences: readonly Absence[]
  createdAt: Date
}

/** A status never changes to one of the same or a lower rank, even when reports come late or twice. */
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

/** Its recorder has answered that it writes or is about to, and nobody has asked it to end. */
export function isRunning({
  status,
  endsAskedAt,
}: Pick<Segment, 'status' | 'endsAskedAt'>): boolean {
  return (status === 'starting' || status === 'active') && endsAskedAt === null
}

/** The last status of a segment. */
export function isFinal({ status }: Pick<Segment, 'status'>): boolean {
  return SEGMENT_RANK[status] === FINAL_RANK
}

/**
 * Its provider reports that it was lost at its end, or its recorder was lost. The storage may have what was delivered
 * before, so it is checked before anything follows.
 */
export function isInDoubt({
  status,
  failureReason,
}: Pick<Segment, 'status' | 'failureReason'>): boolean {
  return status === 'ending' && failureReason !== null
}

/**
 * It was left out of the recording, although the storage has some of it or may still get it. That is kept as long as the
 * recording.
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

/** A new status of a segment, with the fields of that status. */
export type SegmentMove =
  | { to: 'starting' | 'active' | 'ending' }
  | {
      to: 'complete'
      file: { sizeBytes: number; durationSec: number }
      hitLimit: boolean
      /** Start of its media, if the storage knows it. */
      startedAt?: Date
    }
  | SegmentLoss

export function isLoss(move: SegmentMove): move is SegmentLoss {
  return move.to === 'failed' || move.to === 'aborted'
}

/** "Egress -> status" for a segment. A file that was cut at a limit counts as a file. */
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

/** After this time without an answer, the provider's list is searched before it is asked again. */
export const ANSWER_MAX_MS = 15_000
/** Pause after all recorders have refused: none has begun, and somebody waits to be recorded. */
export const REFUSED_PAUSE_MS = 3_000
const STARTING_MAX_MS = 90_000
/** Counts from the last sign of life. A provider that makes one file after another may need long for each. */
const ENDING_MAX_MS = 10 * 60_000
/** Limit regardless of the provider's reports. */
const ENDING_ALIVE_MAX_MS = 24 * 60 * 60_000
/** Counts from the request to end, or the end of the media room. */
const ACTIVE_AFTER_END_MAX_MS = 5 * 60_000
/** Grace period for a recorder to report why it left. A crashed one never does. */
const RECORDER_GONE_MAX_MS = 5_000
/** The same after it was asked to end: it leaves first, and its report that it is ending may be lost. */
const ENDED_RECORDER_GONE_MAX_MS = 30_000
/** With the pause between two checks, a stalled recorder is noticed within half a minute. */
const STALLED_MAX_MS = 15_000
/** Time during which a lost answer is searched for. */
const LOST_ANSWER_MAX_MS = 2 * 60_000

/**
 * The action for a segment that stays in its status for too long, and its time. `judge`: the storage decides. `drop`: it is
 * no longer wanted, and has certainly not begun.
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

/** The time when a recorder that left its media room without a report counts as dead. */
export function recorderDeadlineOf({
  status,
  endsAskedAt,
  recorderGoneAt,
}: Pick<Segment, 'status' | 'endsAskedAt' | 'recorderGoneAt'>): Date | undefined {
  if (status !== 'active' || recorderGoneAt === null) return undefined
  const maxMs = endsAskedAt === null ? RECORDER_GONE_MAX_MS : ENDED_RECORDER_GONE_MAX_MS
  return after(recorderGoneAt, maxMs)
}

/** The time when a recorder that has stopped writing counts as stalled, if anybody sends. */
export function stallDeadlineOf({
  status,
  endsAskedAt,
  grownAt,
}: Pick<Segment, 'status' | 'endsAskedAt' | 'grownAt'>): Date | undefined {
  if (status !== 'active' || endsAskedAt !== null || grownAt === null) return undefined
  return after(grownAt, STALLED_MAX_MS)
}

/** True if its recorder has reported nothing for too long while it was about to begin. */
export function isSilentAtStart(
  { status, statusAt, endsAskedAt, aliveAt }: Segment,
  now: Date,
): boolean {
  if (status !== 'starting' || endsAskedAt !== null) return false
  return now >= after(aliveAt !== null && aliveAt > statusAt ? aliveAt : statusAt, STALLED_MAX_MS)
}

/** From then on, only the storage decides about a segment that should have ended. */
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

/** A late report: the segment has moved on since, or has ended in another way. */
export function isBackward({ status }: Segment, { to }: SegmentMove): boolean {
  return to !== status && SEGMENT_RANK[to] <= SEGMENT_RANK[status]
}

/** The late file of a segment that was given up as overdue. */
export function comesLate({ status, isOverdue }: Segment, { to }: SegmentMove): boolean {
  return status === 'failed' && isOverdue && to === 'complete'
}

/** Puts recorders last that failed this recording, or may have. */
export function orderOfRecorders(
  recorders: readonly string[],
  segments: readonly Segment[],
): readonly string[] {
  const failed = new Set(segments.flatMap((each) => (hasFailedThere(each) ? each.recorder : [])))
  return recorders.toSorted((a, b) => Number(failed.has(a)) - Number(failed.has(b)))
}

/** Its recorder died, stalled, did not begin or gave no answer. */
function hasFailedThere({ status, endsAskedAt, recorderGoneAt, stalledAt }: Segment): boolean {
  if (stalledAt !== null) return true
  const hasFailed = status === 'requested' || status === 'failed' || status === 'aborted'
  return endsAskedAt === null && (hasFailed || recorderGoneAt !== null)
}

/** True if it gets a second start, because the first ended before it began. */
export function isStartedAgain({ status, attempt, startedAt }: Segment): boolean {
  return status === 'aborted' && attempt === 1 && startedAt === null
}

/** Began after it was asked to end, because its provider heard of that too late. Nothing of it may be kept. */
export function beganTooLate({
  startedAt,
  endsAskedAt,
  clockOffsetMs,
}: Pick<Segment, 'startedAt' | 'endsAskedAt' | 'clockOffsetMs'>): boolean {
  if (startedAt === null || endsAskedAt === null) return false
  return startedAt.getTime() - (clockOffsetMs ?? 0) > endsAskedAt.getTime()
}

/**
 * True if it may have delivered something, so that the provider's report is not enough to lose it. A segment that was
 * aborted before it began has nothing, and one that began too late is not kept.
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
 * A pause or a stop asked it to end before it began, so nothing is lost. The provider calls it aborted, or reports nothing
 * more.
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
