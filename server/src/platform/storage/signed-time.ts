/** Refuses what no address can be signed for: a defect of the caller. */
export function checkExpiry(expiresInSec: number): void {
  if (Number.isSafeInteger(expiresInSec) && expiresInSec >= 1) return
  throw new RangeError('expiresInSec must be a whole number from 1')
}
