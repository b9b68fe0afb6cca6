import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import { lockByName, type Query, type Tx } from '../../platform/db/db.ts'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import { countOpenRooms, sumExpectedBytes, sumStoredBytes } from './quota-store.ts'
import { openSlotsEndAfter } from './session.ts'

/** Whose quotas they are, and what they allow; what is null costs no statement. */
export interface TenantQuotas {
  tenantId: string
  tenantLimits: TenantLimits
}

/** Bookings of a tenant with a quota queue here: side by side they would all find the last place free. */
export async function queueForRoomQuota(tx: Tx, tenantId: string): Promise<void> {
  await lockByName(tx, `room-quota:${tenantId}`)
}

/**
 * Behind the new room, which counts itself; before, its tenant was queued for. Throws 422
 * VALIDATION_ERROR (QUOTA_EXCEEDED) for a room too many.
 */
export async function refuseRoomTooMany(
  tx: Tx,
  { tenantId, roomsMax, now }: { tenantId: string; roomsMax: number; now: Date },
): Promise<void> {
  const count = await countOpenRooms(tx, { tenantId, endsAfter: openSlotsEndAfter(now) })
  if (count <= roomsMax) return
  throw exceeded('rooms_open', `must be at most ${roomsMax}: close or cancel a room first`)
}

/**
 * Before something new is booked or uploaded. Throws 422 VALIDATION_ERROR (QUOTA_EXCEEDED) while the
 * tenant stores as much as it may, or more.
 */
export async function refuseFullStorage(
  query: Query,
  { tenantId, tenantLimits: { storedBytesMax } }: TenantQuotas,
): Promise<void> {
  if (storedBytesMax === null) return
  if ((await sumStoredBytes(query, tenantId)) < storedBytesMax) return
  throw exceeded('stored_bytes', storageFullFor(storedBytesMax))
}

/**
 * Behind the new clip, which counts itself and those that are still to be made: a recording may have hundreds, each of
 * its length. Throws 422 VALIDATION_ERROR (QUOTA_EXCEEDED) for one that would probably take more than is left; viewers
 * do not learn how much that is.
 */
export async function refuseClipTooLarge(
  query: Query,
  {
    tenantId,
    tenantLimits: { storedBytesMax },
    isOfViewer,
  }: TenantQuotas & { isOfViewer: boolean },
): Promise<void> {
  if (storedBytesMax === null) return
  const storedBytes = await sumStoredBytes(query, tenantId)
  if (storedBytes + (await sumExpectedBytes(query, tenantId)) <= storedBytesMax) return
  const message = isOfViewer ? 'must leave room for the clip' : storageFullFor(storedBytesMax)
  throw exceeded('stored_bytes', message)
}

function storageFullFor(storedBytesMax: number): string {
  return `must be less than ${storedBytesMax}: delete recordings, clips or handouts first`
}

function exceeded(field: 'rooms_open' | 'stored_bytes', message: string): ServiceError {
  return refuseField('VALIDATION_ERROR', { field, code: 'QUOTA_EXCEEDED', message })
}

/** What a tenant uses of its quotas now. */
export async function readQuotaUse(
  query: Query,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<{ roomsOpen: number; storedBytes: number }> {
  const roomsOpen = await countOpenRooms(query, { tenantId, endsAfter: openSlotsEndAfter(now) })
  return { roomsOpen, storedBytes: await sumStoredBytes(query, tenantId) }
}
