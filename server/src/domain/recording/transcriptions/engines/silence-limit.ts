const SILENCE_MIN_SEC = 30 * 60

/** Time limit, in seconds, for an engine that reports no progress. */
export function silenceLimitSec(durationSec: number): number {
  return Math.max(SILENCE_MIN_SEC, 4 * durationSec)
}
