import { inState, isLost, type Segment, type SegmentFields, UNKNOWN } from './segment.ts'

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

function stateOf(segment: Segment): State {
  return isLost(segment) ? 'lost' : segment.status
}

/** The new values of a segment. What is left out stays as it is, or is not known yet. */
export type Change = Partial<SegmentFields> & { isAborted?: boolean }

/** The segment after this sign, with the fields of its state. Returns undefined if the sign does not count in its state. */
export function follow(
  segment: Segment,
  sign: Sign,
  { change: { isAborted = false, ...change }, now }: { change: Change; now: Date },
): Segment | undefined {
  const { from, to } = SEGMENT_TRANSITIONS[sign]
  const state = stateOf(segment)
  if (!from.includes(state)) return undefined
  const lost = isAborted ? 'aborted' : 'failed'
  if (to === 'unchanged' || to === state) {
    return inState(segment.status, { ...UNKNOWN, ...segment, ...change } as SegmentFields)
  }
  const fields = { ...UNKNOWN, ...segment, ...change, statusAt: now } as SegmentFields
  return inState(to === 'lost' ? lost : to, fields)
}

/** Both have the same state and the same values. */
export function areSame(a: Segment, b: Segment): boolean {
  // The names are in one order, see `inState`.
  return JSON.stringify(a) === JSON.stringify(b)
}
