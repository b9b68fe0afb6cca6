import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../platform/lib/service-error.ts'

/** Throws 429 RATE_LIMIT_EXCEEDED with the seconds that are to be waited, one at least. */
export function refuseWhileWaiting(waitSec: number | undefined): void {
  if (waitSec === undefined) return
  throw new ServiceError('RATE_LIMIT_EXCEEDED', {
    headers: { 'retry-after': String(Math.max(1, waitSec)) },
  })
}

/** How long a refusal is kept back that costs nothing to make. */
const PAUSE_MS = 250

/**
 * The same, kept back for a moment: a client that asks again at once would otherwise keep the process
 * busy with nothing but refusals.
 */
export async function refuseLate(waitSec: number | undefined): Promise<void> {
  if (waitSec === undefined) return
  await delay(PAUSE_MS)
  refuseWhileWaiting(waitSec)
}
