import type { Tx } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockHolds } from '../booking/lock-holds.ts'
import { eraseRequest } from './erase-request.ts'
import { reopenBlocked } from './erasure-store.ts'
import { deleteHold, type HoldKey, insertHold, type LegalHold } from './hold-store.ts'
import { hasRoom } from './subject-store.ts'

export { findHold, listHolds } from './hold-store.ts'

export type NewHold = Pick<
  LegalHold,
  'tenantId' | 'roomId' | 'externalType' | 'externalId' | 'reason'
>

/** Throws 422 VALIDATION_ERROR for a room that the tenant does not have. */
export async function placeHold(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { tenantId, roomId, reason, ...person }: NewHold,
): Promise<LegalHold> {
  await lockHolds(tx, tenantId, 'alone')
  if (roomId !== null && !(await hasRoom(tx, { tenantId, roomId }))) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'room_id',
      code: 'NOT_ALLOWED',
      message: 'must be one of your rooms',
    })
  }
  const hold = {
    id: uuidv7(),
    tenantId,
    roomId,
    ...person,
    reason: cleanFreeText(reason),
    createdAt: clock(),
  }
  await insertHold(tx, hold)
  return hold
}

/** Releases a hold, and restarts the erasures that it may have blocked. Returns false without such a hold. */
export async function releaseHold(tx: Tx, key: HoldKey): Promise<boolean> {
  const { tenantId } = key
  await lockHolds(tx, tenantId, 'alone')
  if (!(await deleteHold(tx, key))) return false
  const blocked = await reopenBlocked(tx, { tenantId })
  await enqueueAll(
    tx,
    blocked.map((id) => eraseRequest(id)),
  )
  return true
}
