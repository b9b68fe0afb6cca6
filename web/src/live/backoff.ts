const MIN_MS = 500
const MAX_MS = 10_000

/**
 * The pause before the next attempt. It doubles each time, and is random so that not all pages retry at the same
 * moment.
 */
export function backoffMs(failures: number, random: number): number {
  const delayMs = Math.min(MAX_MS, MIN_MS * 2 ** failures)
  return delayMs * (1 + random / 2)
}
