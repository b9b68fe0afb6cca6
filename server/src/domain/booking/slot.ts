import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import { SLOT_MAX_SEC } from '@interview-room/contract/limits.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Session } from './session.ts'

export type NewSlot = Pick<Session, 'externalType' | 'externalId' | 'name' | 'startsAt' | 'endsAt'>

/**
 * Throws 422 INVALID_TIME_WINDOW with every rule that the slot breaks. `path` leads to the slot in
 * the request: `session.` where it is nested.
 */
export function refuseImpossibleSlot(
  slot: Pick<NewSlot, 'startsAt' | 'endsAt'>,
  now: Date,
  path = '',
): void {
  const { startsAt, endsAt } = slot
  const field = `${path}ends_at`
  const details: ErrorDetail[] = []
  if (endsAt <= startsAt) {
    details.push({ field, code: 'BEFORE_STARTS_AT', message: 'must be after starts_at' })
  }
  if (endsAt <= now) {
    details.push({ field, code: 'IN_PAST', message: 'must be in the future' })
  }
  if (endsAt.getTime() - startsAt.getTime() > SLOT_MAX_SEC * 1000) {
    details.push({ field, code: 'SLOT_TOO_LONG', message: 'must be at most 24 hours later' })
  }
  if (details.length > 0) throw new ServiceError('INVALID_TIME_WINDOW', { details })
}
