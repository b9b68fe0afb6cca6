import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/named-locks.ts'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import { countOpenRooms, sumExpectedBytes, sumStoredBytes } from './quota-store.ts'
import { openSlotsEndAfter } from './session.ts'

/** The tenant and its limits. A limit of null means unlimited and costs no statement. */
export interface TenantQuotas {
  tenantId: string
  tenantLimits: TenantLimits
}

/**
 * Serialises the bookings of a tenant with a quota. Without that, concurrent bookings would all find the last place free.
 */
export async function queueForRoomQuota(tx: Tx, tenantId: string): Promise<void> {
  await lockByName(tx, `room-quota:${tenantId}`)
}

/**
 * Call it after inserting the room, which counts itself, and queue for the tenant's quota before that. Throws 422
 * VALIDATION_ERROR (QUOTA_EXCEEDED) if the room exceeds the quota.
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
 * Call it before a booking or an upload. Throws 422 VALIDATION_ERROR (QUOTA_EXCEEDED) once the tenant's storage quota is
 * used up.
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
 * Call it after inserting the clip, which counts itself and all pending ones: a recording may have hundreds of clips, each
 * as long as itself. Throws 422 VALIDATION_ERROR (QUOTA_EXCEEDED) for a clip that would probably not fit. Viewers do not
 * learn how much space is left.
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

/** The tenant's current use of its quotas. */
export async function readQuotaUse(
  query: Query,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<{ roomsOpen: number; storedBytes: number }> {
  const roomsOpen = await countOpenRooms(query, { tenantId, endsAfter: openSlotsEndAfter(now) })
  return { roomsOpen, storedBytes: await sumStoredBytes(query, tenantId) }
}
