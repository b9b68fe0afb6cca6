import {
  inState,
  type Segment,
  type SegmentFields,
  type SegmentStatus,
} from '../domain/recording/recordings/segment.ts'

export const SEGMENT_AT = new Date('2026-06-01T10:10:00.000Z')
const BEFORE = new Date(SEGMENT_AT.getTime() - 60_000)

const DEFAULTS: SegmentFields = {
  id: 'a',
  roomId: 'room',
  recordingId: 'recording',
  position: 0,
  person: null,
  attempt: 1,
  storageKey: 'key',
  statusAt: BEFORE,
  endsAskedAt: null,
  createdAt: BEFORE,
  egressId: 'EG_a',
  recorder: 'http://a.test',
  isRecorderSeen: false,
  recorderGoneAt: null,
  stalledAt: null,
  clockOffsetMs: null,
  askedAt: BEFORE,
  aliveAt: null,
  startedAt: BEFORE,
  writtenBytes: null,
  grownAt: null,
  doubt: null,
  sizeBytes: 1,
  durationSec: 1,
  absences: [],
  failureReason: 'provider_failed',
  isOverdue: false,
}

export type GivenSegment = Partial<SegmentFields> & { status?: SegmentStatus | undefined }

/** A segment in a state, `active` if none is given. */
export function segmentOf({ status = 'active', ...given }: GivenSegment): Segment {
  return inState(status, { ...DEFAULTS, ...given })
}
