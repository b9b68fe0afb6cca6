import type { Segment, SegmentStatus } from './segment.ts'

const SEC_MS = 1000
const MINUTE_MS = 60 * SEC_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** The time after which the provider's list is searched for a segment before it is asked again, in milliseconds. */
const ANSWER_MAX_MS = 15 * SEC_MS

/**
 * The consequence of a limit. `judge`: the storage decides. `drop`: it is no longer wanted, and has certainly not begun.
 * `replace`: it is asked to end, and another recorder continues.
 */
type LimitAction =
  | 'ask_again'
  | 'start_timeout'
  | 'drop'
  | 'give_up'
  | 'judge'
  | 'recorder_lost'
  | 'replace'

export interface SegmentLimit {
  state: SegmentStatus
  /** The situation in which it counts, in the words of `docs/lifecycles.md`. */
  when: string
  limitMs: number
  /** The limit while its recorder does not say what it writes. Without one, it does not apply then. */
  blindMs?: number
  action: LimitAction
  /** The time from which it counts. Null if the segment is not in this situation. */
  since: (segment: Segment) => Date | null
}

function laterOf(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a
}

/** Makes a `since` for the segments in one state. */
function of<S extends SegmentStatus>(
  state: S,
  since: (segment: Extract<Segment, { status: S }>) => Date | null,
): Pick<SegmentLimit, 'since'> & { state: S } {
  const isOf = (segment: Segment): segment is Extract<Segment, { status: S }> =>
    segment.status === state
  return { state, since: (segment) => (isOf(segment) ? since(segment) : null) }
}

/** Every time that a segment may spend in a situation. A test compares it with `docs/lifecycles.md#segment`. */
export const SEGMENT_LIMITS: readonly SegmentLimit[] = [
  {
    ...of('requested', ({ askedAt, recorder }) => (recorder === null ? null : askedAt)),
    when: 'no recorder has answered',
    limitMs: ANSWER_MAX_MS,
    action: 'ask_again',
  },
  {
    ...of('requested', ({ askedAt, recorder }) => (recorder === null ? askedAt : null)),
    when: 'all recorders have refused',
    limitMs: 3 * SEC_MS,
    action: 'ask_again',
  },
  {
    ...of('requested', ({ endsAskedAt, statusAt }) => (endsAskedAt === null ? statusAt : null)),
    when: 'wanted',
    limitMs: 90 * SEC_MS,
    blindMs: 10 * MINUTE_MS,
    action: 'start_timeout',
  },
  {
    ...of('requested', ({ endsAskedAt, recorder }) => (recorder === null ? endsAskedAt : null)),
    when: 'not wanted any more, and no recorder writes it',
    limitMs: 0,
    blindMs: 0,
    action: 'drop',
  },
  {
    ...of('requested', ({ endsAskedAt, recorder }) => (recorder === null ? null : endsAskedAt)),
    when: 'not wanted any more, and a recorder has not answered',
    limitMs: 2 * MINUTE_MS,
    blindMs: 10 * MINUTE_MS,
    action: 'give_up',
  },
  {
    ...of('starting', ({ stalledAt, statusAt }) => (stalledAt === null ? statusAt : null)),
    when: 'it does not begin',
    limitMs: 90 * SEC_MS,
    // By then, an egress that began unnoticed has ended with its media room.
    blindMs: 10 * MINUTE_MS,
    action: 'start_timeout',
  },
  {
    ...of('starting', ({ stalledAt, statusAt }) => (stalledAt === null ? null : statusAt)),
    when: 'it does not begin, and another one continues',
    limitMs: 90 * SEC_MS,
    blindMs: 90 * SEC_MS,
    action: 'start_timeout',
  },
  {
    ...of('active', ({ endsAskedAt }) => endsAskedAt),
    when: 'asked to end',
    limitMs: 5 * MINUTE_MS,
    blindMs: DAY_MS,
    action: 'judge',
  },
  {
    ...of('active', ({ endsAskedAt, recorderGoneAt }) =>
      endsAskedAt === null ? recorderGoneAt : null,
    ),
    // Grace period for a recorder to report why it left. A crashed one never does.
    when: 'its recorder has left the room',
    limitMs: 5 * SEC_MS,
    blindMs: 5 * SEC_MS,
    action: 'recorder_lost',
  },
  {
    ...of('active', ({ endsAskedAt, recorderGoneAt }) =>
      endsAskedAt === null ? null : recorderGoneAt,
    ),
    // It leaves first, and its report that it is ending may be lost.
    when: 'asked to end, and its recorder has left the room',
    limitMs: 30 * SEC_MS,
    blindMs: 30 * SEC_MS,
    action: 'recorder_lost',
  },
  {
    ...of('active', ({ endsAskedAt, grownAt }) => (endsAskedAt === null ? grownAt : null)),
    // With the pause between two checks, a stalled recorder is noticed within half a minute.
    when: 'its bytes do not grow although somebody sends',
    limitMs: 15 * SEC_MS,
    blindMs: 15 * SEC_MS,
    action: 'replace',
  },
  {
    ...of('ending', ({ statusAt, aliveAt }) => laterOf(statusAt, aliveAt)),
    // A provider that makes one file after another may need long for each.
    when: 'no sign of life',
    limitMs: 10 * MINUTE_MS,
    action: 'judge',
  },
  {
    ...of('ending', ({ statusAt }) => statusAt),
    when: 'whatever its provider reports',
    limitMs: DAY_MS,
    blindMs: DAY_MS,
    action: 'judge',
  },
]

/** A recorder that connects and says nothing before it has begun counts as stalled after this time. */
const SILENT_START_MAX_MS = 15 * SEC_MS

interface Deadline {
  at: Date
  action: LimitAction
}

/** The limits that count for a segment now, the nearest first. */
export function deadlinesOf(segment: Segment, { isBlind = false } = {}): Deadline[] {
  const deadlines = SEGMENT_LIMITS.flatMap(({ since, limitMs, blindMs, action }): Deadline[] => {
    const from = since(segment)
    const ms = isBlind ? blindMs : limitMs
    return from === null || ms === undefined ? [] : [{ at: after(from, ms), action }]
  })
  return deadlines.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** True once the segment has passed such a limit. */
export function isPast(segment: Segment, action: LimitAction, now: Date): boolean {
  return deadlinesOf(segment).some((each) => each.action === action && now >= each.at)
}

/** True if its recorder has reported nothing for too long while it was about to begin. */
export function isSilentAtStart(segment: Segment, now: Date): boolean {
  if (segment.status !== 'starting' || segment.endsAskedAt !== null) return false
  return now >= after(laterOf(segment.statusAt, segment.aliveAt), SILENT_START_MAX_MS)
}

function after(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms)
}
