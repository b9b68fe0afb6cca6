const MIN_MS = 500
const MAX_MS = 10_000

/** Before the next attempt: twice as long each time, and never all pages at the same time. */
export function backoffMs(failures: number, random: number): number {
  const delayMs = Math.min(MAX_MS, MIN_MS * 2 ** failures)
  return delayMs * (1 + random / 2)
}
