import type { Segment, SegmentStatus } from '../domain/recording/recordings/segment.ts'

type KeyOf<T> = T extends T ? keyof T : never
type FieldOf<T, K extends PropertyKey> = T extends Record<K, infer V> ? V : never
/** The fields of every state of a segment. */
export type SegmentFields = { [K in Exclude<KeyOf<Segment>, 'status'>]?: FieldOf<Segment, K> }

export const SEGMENT_AT = new Date('2026-06-01T10:10:00.000Z')
const BEFORE = new Date(SEGMENT_AT.getTime() - 60_000)

const DEFAULTS: Required<SegmentFields> = {
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
  isUntaken: false,
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

const ORDERED = [
  'id',
  'roomId',
  'recordingId',
  'position',
  'person',
  'attempt',
  'storageKey',
  'statusAt',
  'endsAskedAt',
  'createdAt',
] as const
const WRITTEN = [
  'egressId',
  'recorder',
  'isRecorderSeen',
  'recorderGoneAt',
  'stalledAt',
  'clockOffsetMs',
] as const
const LOST = ['startedAt', 'failureReason', 'sizeBytes', 'isOverdue'] as const
const FIELDS: Readonly<Record<SegmentStatus, readonly (keyof SegmentFields)[]>> = {
  requested: [...ORDERED, 'recorder', 'askedAt', 'isUntaken'],
  starting: [...ORDERED, ...WRITTEN, 'aliveAt'],
  active: [...ORDERED, ...WRITTEN, 'startedAt', 'writtenBytes', 'grownAt'],
  ending: [...ORDERED, ...WRITTEN, 'startedAt', 'aliveAt', 'doubt'],
  complete: [...ORDERED, ...WRITTEN, 'startedAt', 'sizeBytes', 'durationSec', 'absences'],
  failed: [...ORDERED, ...WRITTEN, ...LOST],
  aborted: [...ORDERED, ...WRITTEN, ...LOST],
}

/** A segment in a state, `active` if none is given, with exactly the fields of that state. */
export function segmentOf({
  status = 'active',
  ...given
}: SegmentFields & { status?: SegmentStatus | undefined }): Segment {
  const all = { ...DEFAULTS, ...given }
  return { ...Object.fromEntries(FIELDS[status].map((key) => [key, all[key]])), status } as Segment
}
