/** Pauses before the 2nd, 3rd, ... attempt, in seconds. The first is immediate: twelve in all. */
const PAUSES_SEC = [5, 30, 120, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

export const ATTEMPTS_MAX = PAUSES_SEC.length + 1
const JITTER = 0.2
/** The longest pause in the schedule after the 1st, 2nd, ... attempt. `Retry-After` may ask for more. */
export const LONGEST_PAUSES_SEC: readonly number[] = PAUSES_SEC.map((sec) => sec * (1 + JITTER))
export const RETRY_AFTER_MAX_SEC = 24 * 60 * 60

/** After this many refusals, over the first eight minutes, an event waits separately: later ones of its resource pass it. */
export const PARKED_AFTER = 5

/** Consecutive failures that open the breaker. Every failed probe counts as one more. */
export const BREAKER_OPENS_AT = 5
const PROBE_FIRST_SEC = 30
export const PROBE_MAX_SEC = 15 * 60

/**
 * Seconds until the next attempt after `attempts` failed ones, or undefined after the last.
 * `random` is in [0, 1); `retryAfterSec` is what a receiver asked for with 429 or 503.
 */
export function nextPauseSec(
  attempts: number,
  { random, retryAfterSec = 0 }: { random: number; retryAfterSec?: number },
): number | undefined {
  const pause = PAUSES_SEC[attempts - 1]
  if (pause === undefined) return undefined
  const jittered = pause * (1 - JITTER + 2 * JITTER * random)
  return Math.max(jittered, Math.min(retryAfterSec, RETRY_AFTER_MAX_SEC))
}

/** Consecutive failures of an endpoint: no answer, or 5xx. */
export interface Failures {
  inARow: number
  /** Different events among them. */
  events: number
  /** The last failure had no answer at all, which is never the fault of an event. */
  isUnreachable: boolean
}

/** Seconds until an endpoint's next probe, or undefined while its breaker stays closed. */
export function nextProbeSec({ inARow, events, isUnreachable }: Failures): number | undefined {
  if (inARow < BREAKER_OPENS_AT || (events < 2 && !isUnreachable)) return undefined
  return Math.min(PROBE_FIRST_SEC * 2 ** (inARow - BREAKER_OPENS_AT), PROBE_MAX_SEC)
}

/** Whole seconds of a `Retry-After` header, given as seconds or as a date. */
export function readRetryAfterSec(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value)
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - now.getTime()) / 1000))
}
