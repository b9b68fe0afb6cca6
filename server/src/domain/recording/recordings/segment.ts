import type { RecordingFailure, Role } from '@interview-room/contract/vocabulary.ts'
import type { TrackLack } from '../../../platform/ports/egress.ts'
import type { Span } from './spans.ts'

/** The reason of a lost segment; `failure_reason` of W3 if no segment is left. */
export type SegmentFailure = Exclude<RecordingFailure, 'internal'>

/** The person in a segment of an individual recording. */
export interface SegmentPerson {
  mediaIdentity: string
  /** Null on the simple route. */
  participantId: string | null
  role: Role
  displayName: string
}

/** A gap in a segment's capture, by the service's clock. */
export interface Absence extends Span {
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
 * recording has parallel segments, one per person. These are the fields of all states.
 */
export interface SegmentFields {
  id: string
  roomId: string
  /** Null when it was given up: it is ended, and what it wrote is deleted. */
  recordingId: string | null
  /** Number of resumes before it. */
  position: number
  person: SegmentPerson | null
  /** 2 if the first egress ended before it began. */
  attempt: number
  storageKey: string
  /** The time since when it has been in its state. */
  statusAt: Date
  /** The time when it was asked to end. */
  endsAskedAt: Date | null
  createdAt: Date
  /** Null if no recorder has answered. */
  egressId: string | null
  /**
   * The recorder that writes it, or may be writing it while there is no answer. Null if it is not known; of a requested
   * segment, if none has been asked yet, or all have refused.
   */
  recorder: string | null
  /** The last time that the provider was asked to start it. */
  askedAt: Date | null
  /** The recorder's connection was seen in the media room. */
  isRecorderSeen: boolean
  /** The time when its recorder left the media room. */
  recorderGoneAt: Date | null
  /** Set if it was ended because its recorder had stalled since then. */
  stalledAt: Date | null
  /** The lead of the provider's clock, in which captures are written; null if it was not compared. */
  clockOffsetMs: number | null
  /** The provider's last sign of life, by the service's clock. */
  aliveAt: Date | null
  /** Null until the provider reports it. */
  startedAt: Date | null
  /** The bytes written by its recorder, as last reported; null if the provider reports none. */
  writtenBytes: number | null
  /** The time of their last growth. */
  grownAt: Date | null
  /** Gaps in its capture, as its recorder reports them while it is active, and as its packets show once it is composed. */
  absences: readonly Absence[]
  /** Set if the provider reports a loss, or its recorder was lost. The storage decides whether there is anything. */
  doubt: SegmentFailure | null
  /** As reported. The storage knows better. A lost segment has it if it had a file, which could not be used. */
  sizeBytes: number | null
  durationSec: number
  failureReason: string
  /** The storage had neither its file nor its chunks when checked. They may still arrive. */
  isOverdue: boolean
}

const ORDERED = [
  ...(['id', 'roomId', 'recordingId', 'position', 'person', 'attempt'] as const),
  ...(['storageKey', 'statusAt', 'endsAskedAt', 'createdAt', 'recorder'] as const),
] as const
const WRITTEN = [
  ...ORDERED,
  ...(['egressId', 'isRecorderSeen', 'recorderGoneAt', 'stalledAt', 'clockOffsetMs'] as const),
] as const
const LOST = [...WRITTEN, 'startedAt', 'failureReason', 'sizeBytes', 'isOverdue'] as const

/** The fields of each state. */
const FIELDS = {
  requested: [...ORDERED, 'askedAt'],
  starting: [...WRITTEN, 'aliveAt'],
  active: [...WRITTEN, 'startedAt', 'writtenBytes', 'grownAt', 'absences'],
  ending: [...WRITTEN, 'startedAt', 'aliveAt', 'doubt'],
  complete: [...WRITTEN, 'startedAt', 'sizeBytes', 'durationSec', 'absences'],
  failed: LOST,
  aborted: LOST,
} as const satisfies Record<string, readonly (keyof SegmentFields)[]>

export type SegmentStatus = keyof typeof FIELDS

/** A segment in a state. `Known`: fields that are never null in it. */
type InState<S extends SegmentStatus, Known extends keyof SegmentFields = never> = {
  status: S
} & Pick<SegmentFields, Exclude<(typeof FIELDS)[S][number], Known>> & {
    [K in Known]: NonNullable<SegmentFields[K]>
  }

/** The provider is about to be asked, or was asked and the answer is unknown. */
export type RequestedSegment = InState<'requested'>
/** A recorder has answered, and has written nothing yet. */
export type StartingSegment = InState<'starting', 'egressId'>
/** A recorder is writing it. */
export type ActiveSegment = InState<'active', 'egressId'>
/** Its recorder makes and delivers the file. */
type EndingSegment = InState<'ending', 'egressId'>
/** It has content. */
export type CompleteSegment = InState<'complete', 'sizeBytes'>
/** It has no usable content. aborted: it was ended before it had anything. */
export type LostSegment = InState<'failed' | 'aborted'>

export type Segment =
  | RequestedSegment
  | StartingSegment
  | ActiveSegment
  | EndingSegment
  | CompleteSegment
  | LostSegment

type UnfinishedSegment = Exclude<Segment, CompleteSegment | LostSegment>

/** The values of a segment that no sign has set yet. */
export const UNKNOWN = {
  egressId: null,
  recorder: null,
  isRecorderSeen: false,
  recorderGoneAt: null,
  stalledAt: null,
  clockOffsetMs: null,
  aliveAt: null,
  startedAt: null,
  writtenBytes: null,
  grownAt: null,
  absences: [],
  doubt: null,
  sizeBytes: null,
  durationSec: null,
  failureReason: null,
  isOverdue: false,
}

/** A segment in this state, with exactly the fields of the state. */
export function inState(status: SegmentStatus, fields: SegmentFields): Segment {
  const names: readonly (keyof SegmentFields)[] = FIELDS[status]
  const own = names.map((name) => [name, fields[name]] as const)
  return { ...Object.fromEntries(own), status } as Segment
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

/** Its recorder has answered that it writes or is about to, and nobody has asked it to end. */
export function isRunning(segment: Segment): segment is StartingSegment | ActiveSegment {
  return isWritten(segment) && segment.endsAskedAt === null
}

/** Its recorder writes it, or is about to. */
export function isWritten(segment: Segment): segment is StartingSegment | ActiveSegment {
  return segment.status === 'starting' || segment.status === 'active'
}

export function isFinal(segment: Segment): segment is CompleteSegment | LostSegment {
  return segment.status === 'complete' || isLost(segment)
}

export function isLost(segment: Segment): segment is LostSegment {
  return segment.status === 'failed' || segment.status === 'aborted'
}

/** The storage may have what was delivered before the loss, so it is checked before anything follows. */
export function isInDoubt(segment: Segment): boolean {
  return segment.status === 'ending' && segment.doubt !== null
}

/** Its provider no longer writes it. */
export function isOver(segment: Segment): boolean {
  return isFinal(segment) || isInDoubt(segment)
}

/**
 * It was left out of the recording, although the storage has some of it or may still get it. That is kept as long as the
 * recording.
 */
export function isLeftOut(segment: Segment): boolean {
  return segment.status === 'failed' && (segment.sizeBytes !== null || segment.isOverdue)
}

export function egressIdOf(segment: Segment): string | null {
  return segment.status === 'requested' ? null : segment.egressId
}

/** The beginning of its media, by the service's clock. */
export function startedAtOf(segment: Segment): Date | null {
  return 'startedAt' in segment ? segment.startedAt : null
}

/** The lead of the provider's clock, 0 if it was not compared. */
export function offsetMsOf(segment: Segment): number {
  return segment.status === 'requested' ? 0 : (segment.clockOffsetMs ?? 0)
}

/** The service's time up to which an unfinished segment has content, as far as that is known. */
export function writtenUntil(segment: UnfinishedSegment, now: Date): Date {
  const { status, endsAskedAt, statusAt } = segment
  if (status === 'requested') return endsAskedAt ?? now
  const until = segment.stalledAt ?? endsAskedAt
  if (status === 'ending') return until ?? statusAt
  return until ?? (status === 'active' ? segment.grownAt : null) ?? now
}

/** True if the segment is a capture, which is not a video yet. The provider, too, distinguishes them by the extension. */
export function isCapture({ storageKey }: Pick<Segment, 'storageKey'>): boolean {
  return storageKey.endsWith('.capture')
}

/** The end of the usable part of a capture, in milliseconds of the capture's clock: the time when it was asked to end. */
export function captureEndMsOf(segment: Segment): number | undefined {
  const { endsAskedAt } = segment
  return endsAskedAt === null ? undefined : endsAskedAt.getTime() + offsetMsOf(segment)
}

/** Seconds of the capture that the file will contain. Its recorder may have heard of the end too late. */
export function usedSecOf(
  segment: Segment,
  { startedAt, capturedSec }: { startedAt: Date | null; capturedSec: number },
): number {
  const { endsAskedAt } = segment
  if (!isCapture(segment) || startedAt === null || endsAskedAt === null) return capturedSec
  return Math.min(capturedSec, Math.max(0, endsAskedAt.getTime() - startedAt.getTime()) / 1000)
}

/** Began after it was asked to end, because its provider heard of that too late. Nothing of it may be kept. */
export function beganTooLate(segment: Segment, startedAt = startedAtOf(segment)): boolean {
  const { endsAskedAt } = segment
  return startedAt !== null && endsAskedAt !== null && startedAt > endsAskedAt
}

/** True if it gets a second start, because the first ended before it began. */
export function isStartedAgain(segment: Segment): boolean {
  return segment.status === 'aborted' && segment.attempt === 1 && segment.startedAt === null
}

/**
 * A pause or a stop asked it to end before it began, so nothing is lost. The provider calls it aborted, or reports nothing
 * more.
 */
export function neverBegan(segment: LostSegment): boolean {
  const { status, startedAt, endsAskedAt, failureReason } = segment
  if (endsAskedAt === null || (startedAt !== null && !beganTooLate(segment))) return false
  return status === 'aborted' || failureReason === 'start_timeout'
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
function hasFailedThere(segment: Segment): boolean {
  if (segment.status === 'requested') return segment.endsAskedAt === null
  if (segment.stalledAt !== null) return true
  return segment.endsAskedAt === null && (isLost(segment) || segment.recorderGoneAt !== null)
}
