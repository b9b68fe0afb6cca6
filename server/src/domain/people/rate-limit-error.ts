import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../platform/lib/service-error.ts'

/** Throws 429 RATE_LIMIT_EXCEEDED with the seconds to wait, at least one. */
export function refuseWhileWaiting(waitSec: number | undefined): void {
  if (waitSec === undefined) return
  throw new ServiceError('RATE_LIMIT_EXCEEDED', {
    headers: { 'retry-after': String(Math.max(1, waitSec)) },
  })
}

/** Delay of a cheap refusal. */
const PAUSE_MS = 250

/** The same after a pause. Without it, a client that retries immediately would keep the process busy with refusals. */
export async function refuseLate(waitSec: number | undefined): Promise<void> {
  if (waitSec === undefined) return
  await delay(PAUSE_MS)
  refuseWhileWaiting(waitSec)
}
