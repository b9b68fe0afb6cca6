const SILENCE_MIN_SEC = 30 * 60

/** After how long an engine that says nothing new has had its time, in seconds. */
export function silenceLimitSec(durationSec: number): number {
  return Math.max(SILENCE_MIN_SEC, 4 * durationSec)
}
