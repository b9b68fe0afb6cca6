import { ServiceError } from '../lib/service-error.ts'

/** Throws 429 RATE_LIMIT_EXCEEDED with the seconds that are to be waited, one at least. */
export function refuseWhileWaiting(waitSec: number | undefined): void {
  if (waitSec === undefined) return
  throw new ServiceError('RATE_LIMIT_EXCEEDED', {
    headers: { 'retry-after': String(Math.max(1, waitSec)) },
  })
}
