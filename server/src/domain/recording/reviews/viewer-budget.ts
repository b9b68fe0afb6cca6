import { VIEWER_WRITES_PER_MIN } from '@interview-room/contract/limits.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { refuseWhileWaiting } from '../../people/rate-limit-error.ts'
import type { Viewer } from './viewer.ts'

const WINDOW_MS = 60_000
const VIEWERS_MAX = 10_000

/**
 * Counts a viewer's writes by the minute, in this process. The function that it returns throws 429 RATE_LIMIT_EXCEEDED
 * for a write beyond the limit.
 */
export function createViewerBudget({ clock }: Pick<Deps, 'clock'>): (viewer: Viewer) => void {
  let counts = new Map<string, number>()
  let window = 0

  return ({ tenantId, reference }) => {
    const nowMs = clock().getTime()
    const current = Math.floor(nowMs / WINDOW_MS)
    if (current !== window || counts.size >= VIEWERS_MAX) counts = new Map()
    window = current
    const name = `${tenantId} ${reference}`
    const count = (counts.get(name) ?? 0) + 1
    if (count > VIEWER_WRITES_PER_MIN) {
      refuseWhileWaiting(Math.ceil(((current + 1) * WINDOW_MS - nowMs) / 1000))
    }
    counts.set(name, count)
  }
}
