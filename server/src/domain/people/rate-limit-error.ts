import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../platform/lib/service-error.ts'

function rateLimitError(waitSec: number): ServiceError {
  return new ServiceError('RATE_LIMIT_EXCEEDED', {
    headers: { 'retry-after': String(Math.max(1, waitSec)) },
  })
}

/** Throws 429 RATE_LIMIT_EXCEEDED with the seconds to wait, at least one. */
export function refuseWhileWaiting(waitSec: number | undefined): void {
  if (waitSec !== undefined) throw rateLimitError(waitSec)
}

/** How long a cheap refusal is delayed. */
const PAUSE_MS = 250

/**
 * The same after a pause: a client that retries immediately would otherwise keep the process busy with
 * refusals alone.
 */
export async function refuseLate(waitSec: number): Promise<never> {
  await delay(PAUSE_MS)
  throw rateLimitError(waitSec)
}
