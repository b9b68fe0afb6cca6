import {
  isLost,
  type Segment,
  type SegmentFailure,
  startedAtOf,
  type WasWritten,
  type Written,
} from './segment.ts'

type State = 'requested' | 'starting' | 'active' | 'ending' | 'complete' | 'lost'

/** The meaning of an observation for a segment. */
export type Sign = keyof typeof TRANSITIONS

const BEGUN = ['starting', 'active'] as const
const UNFINISHED = ['requested', 'starting', 'active', 'ending'] as const

const TRANSITIONS = {
  starts: { from: ['requested'], to: 'starting' },
  records: { from: ['requested', 'starting', 'active'], to: 'active' },
  ends: { from: UNFINISHED, to: 'ending' },
  delivers: { from: [...UNFINISHED, 'lost'], to: 'complete' },
  breaks: { from: UNFINISHED, to: 'ending' },
  'is lost': { from: UNFINISHED, to: 'lost' },
  'recorder joins': {
    from: ['starting', 'active', 'ending', 'complete', 'lost'],
    to: 'unchanged',
  },
  'recorder leaves': { from: BEGUN, to: 'unchanged' },
  works: { from: BEGUN, to: 'unchanged' },
  'stands still': { from: BEGUN, to: 'unchanged' },
  'room is gone': { from: ['requested', 'starting', 'active'], to: 'unchanged' },
  'times out': { from: ['requested', 'starting'], to: 'lost' },
  stored: { from: UNFINISHED, to: 'complete' },
  'not stored': { from: UNFINISHED, to: 'lost' },
  'storage is silent': { from: BEGUN, to: 'ending' },
  unusable: { from: ['complete'], to: 'lost' },
} as const satisfies Record<string, { from: readonly State[]; to: State | 'unchanged' }>

/**
 * The states in which each sign counts, and the state that follows. In any other state the sign changes nothing, however
 * often and late it is reported. A test compares this table with `docs/lifecycles.md#segment`.
 */
export const SEGMENT_TRANSITIONS: Readonly<
  Record<Sign, { from: readonly State[]; to: State | 'unchanged' }>
> = TRANSITIONS

export function stateOf(segment: Segment): State {
  return isLost(segment) ? 'lost' : segment.status
}

/** The new values of a segment. What is left out stays as it is. */
export interface Change {
  startedAt?: Date | null
  writtenBytes?: number | null
  file?: { sizeBytes: number; durationSec: number }
  /** The reason of a loss, or of a doubt. */
  reason?: string
  isAborted?: boolean
  isOverdue?: boolean
  endsAskedAt?: Date
  aliveAt?: Date | null
  written?: Partial<Written>
}

/** The segment after this sign, with the fields of its state. Returns undefined if the sign does not count in its state. */
export function follow(
  segment: Segment,
  sign: Sign,
  { change, now }: { change: Change; now: Date },
): Segment | undefined {
  const { from, to } = SEGMENT_TRANSITIONS[sign]
  const state = stateOf(segment)
  if (!from.includes(state)) return undefined
  return enter(to === 'unchanged' ? state : to, { segment, change, now })
}

interface Entry {
  segment: Segment
  change: Change
  now: Date
}

/** Builds the new state. */
function enter(state: State, entry: Entry): Segment {
  const { segment, change, now } = entry
  const { id, roomId, recordingId, position, person, attempt, storageKey, createdAt } = segment
  const ordered = {
    id,
    roomId,
    recordingId,
    position,
    person,
    attempt,
    storageKey,
    createdAt,
    statusAt: state === stateOf(segment) ? segment.statusAt : now,
    endsAskedAt: segment.endsAskedAt ?? change.endsAskedAt ?? null,
  }
  const startedAt = change.startedAt ?? startedAtOf(segment)
  const over = { ...ordered, ...wasWrittenOf(entry), startedAt }
  switch (state) {
    case 'requested':
      return segment.status === 'requested' ? { ...segment, ...ordered } : segment
    case 'starting':
      return { ...ordered, ...writtenOf(entry), status: 'starting', aliveAt: aliveAtOf(entry) }
    case 'active': {
      const growth = growthOf(entry)
      return { ...ordered, ...writtenOf(entry), status: 'active', startedAt, ...growth }
    }
    case 'ending': {
      const known = segment.status === 'ending' ? segment.doubt : null
      const doubt = (change.reason as SegmentFailure | undefined) ?? known
      const aliveAt = aliveAtOf(entry)
      return { ...ordered, ...writtenOf(entry), status: 'ending', startedAt, aliveAt, doubt }
    }
    case 'complete': {
      const absences = segment.status === 'complete' ? segment.absences : []
      const { sizeBytes, durationSec } = fileOf(entry)
      return { ...over, status: 'complete', sizeBytes, durationSec, absences }
    }
    case 'lost': {
      if (isLost(segment)) return { ...segment, ...wasWrittenOf(entry) }
      const { isAborted = false, isOverdue = false, reason = 'provider_failed' } = change
      const sizeBytes = segment.status === 'complete' ? segment.sizeBytes : null
      const status = isAborted ? 'aborted' : 'failed'
      return { ...over, status, failureReason: reason, sizeBytes, isOverdue }
    }
  }
}

const UNWRITTEN = {
  isRecorderSeen: false,
  recorderGoneAt: null,
  stalledAt: null,
  clockOffsetMs: null,
} as const

function wasWrittenOf({ segment, change: { written } }: Entry): WasWritten {
  if (segment.status === 'requested') {
    return { ...UNWRITTEN, egressId: null, recorder: segment.recorder, ...written }
  }
  const { egressId, recorder, isRecorderSeen, recorderGoneAt, stalledAt, clockOffsetMs } = segment
  const known = { egressId, recorder, isRecorderSeen, recorderGoneAt, stalledAt, clockOffsetMs }
  return { ...known, ...written }
}

function writtenOf(entry: Entry): Written {
  const { egressId, ...written } = wasWrittenOf(entry)
  if (egressId === null) throw new Error('a segment without an egress is not being written')
  return { egressId, ...written }
}

/** Never earlier than it was. */
function aliveAtOf({ segment, change: { aliveAt = null } }: Entry): Date | null {
  const known = 'aliveAt' in segment ? segment.aliveAt : null
  return known !== null && (aliveAt === null || known > aliveAt) ? known : aliveAt
}

/** The same number of bytes is no growth. A resumed recorder counts from zero. */
function growthOf({ segment, change: { writtenBytes = null }, now }: Entry) {
  const known = segment.status === 'active' ? segment : { writtenBytes: null, grownAt: null }
  if (writtenBytes === null || writtenBytes === known.writtenBytes) {
    return { writtenBytes: known.writtenBytes, grownAt: known.grownAt }
  }
  return { writtenBytes, grownAt: now }
}

function fileOf({ segment, change: { file } }: Entry): { sizeBytes: number; durationSec: number } {
  if (file !== undefined) return file
  if (segment.status === 'complete') return segment
  throw new Error('a complete segment has a file')
}
