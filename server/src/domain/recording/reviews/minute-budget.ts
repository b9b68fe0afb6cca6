import type { Deps } from '../../../platform/ports/deps.ts'
import { refuseWhileWaiting } from '../../people/rate-limit-error.ts'

const WINDOW_MS = 60_000
const NAMES_MAX = 10_000

/**
 * Counts the requests of each name by the minute, in this process. The function that it returns throws 429
 * RATE_LIMIT_EXCEEDED for a request beyond the limit.
 */
export function createMinuteBudget(
  { clock }: Pick<Deps, 'clock'>,
  perMin: number,
): (name: string) => void {
  let counts = new Map<string, number>()
  let window = 0

  return (name) => {
    const nowMs = clock().getTime()
    const current = Math.floor(nowMs / WINDOW_MS)
    if (current !== window || counts.size >= NAMES_MAX) counts = new Map()
    window = current
    const count = (counts.get(name) ?? 0) + 1
    if (count > perMin) {
      refuseWhileWaiting(Math.ceil(((current + 1) * WINDOW_MS - nowMs) / 1000))
    }
    counts.set(name, count)
  }
}
