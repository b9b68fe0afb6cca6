import { setTimeout as delay } from 'node:timers/promises'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import { commitTogether, inTransaction, type Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { newAccessToken } from './access-token.ts'
import { closeMediaRoomRequest, mediaRoomSpec } from './media-room.ts'
import {
  queueForRoomQuota,
  refuseFullStorage,
  refuseRoomTooMany,
  type TenantQuotas,
} from './quotas.ts'
import {
  type BookedRoom,
  deleteIntention,
  findHolder,
  type IntendedRoom,
  insertIntention,
  insertSlotlessIntention,
  markProvisioned,
} from './room-store.ts'
import { abandonedBefore, type Room, type RoomSettings } from './room.ts'
import { type NewSlot, refuseImpossibleSlot } from './slot.ts'

type CreateDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config'>

export interface RoomBooking extends TenantQuotas {
  settings: RoomSettings
  slot: NewSlot
}

/** A room with its media room that is not visible yet. */
export interface ProvisionedRoom {
  room: IntendedRoom
  mediaRoomSid: string
}

/**
 * Books a room with its session and media room. First the intention is committed, then the provider makes the media room,
 * and `completeRoom` makes the intention a room. A process that dies in between leaves an intention, which is not visible
 * and which a job undoes.
 *
 * Throws 422 INVALID_TIME_WINDOW, 409 DUPLICATE_EXTERNAL_REF, 422 VALIDATION_ERROR (QUOTA_EXCEEDED), 502
 * RTC_PROVISION_FAILED.
 */
export async function provisionRoom(
  deps: CreateDeps,
  booking: RoomBooking,
): Promise<ProvisionedRoom> {
  const now = deps.clock()
  refuseImpossibleSlot(booking.slot, now, 'session.')

  const room = intend(booking, now)
  await claimExternalRef(deps, room, booking.tenantLimits)
  return provision(deps, room)
}

/** Makes a room without a slot in the same steps. Throws 502 RTC_PROVISION_FAILED. */
export async function provisionSlotlessRoom(
  deps: CreateDeps,
  { tenantId, settings }: Pick<RoomBooking, 'tenantId' | 'settings'>,
): Promise<ProvisionedRoom> {
  const now = deps.clock()
  const room = { ...settings, id: uuidv7(now.getTime()), tenantId, createdAt: now, session: null }
  await insertSlotlessIntention(deps.db, room)
  return provision(deps, room)
}

/**
 * Makes the intention a room. If it is the last statement of the transaction (`isLast`), the commit is sent with it. Throws
 * 502 RTC_PROVISION_FAILED when the intention was undone meanwhile.
 */
export async function completeRoom(
  tx: Tx,
  { room, mediaRoomSid }: ProvisionedRoom,
  { isLast = false } = {},
): Promise<Room> {
  const marking = markProvisioned(tx, room.id, mediaRoomSid)
  const [isMarked] = isLast ? await commitTogether(tx, [marking]) : [await marking]
  if (!isMarked) {
    throw new ServiceError('RTC_PROVISION_FAILED', { note: 'undone while provisioning' })
  }
  const session = room.session && { ...room.session, cancelledAt: null }
  return { ...room, mediaRoomSid, closedAt: null, session }
}

/** Undoes a room that could not be completed. */
export async function undoRoom(
  deps: Pick<Deps, 'db'>,
  { room }: Pick<ProvisionedRoom, 'room'>,
): Promise<void> {
  await undo(deps, room.id)
}

function intend({ tenantId, settings, slot }: RoomBooking, now: Date): BookedRoom {
  const id = uuidv7(now.getTime())
  return {
    ...settings,
    id,
    tenantId,
    createdAt: now,
    session: {
      ...slot,
      id: uuidv7(now.getTime()),
      roomId: id,
      accessToken: newAccessToken(),
      createdAt: now,
    },
  }
}

const CLAIM_POLL_MS = 100

/**
 * Commits the intention. If another intention has the reference, it waits for its outcome. A finished room is a duplicate.
 * An undone intention, and one whose process died, frees the reference.
 */
async function claimExternalRef(
  deps: CreateDeps,
  room: BookedRoom,
  limits: TenantLimits,
): Promise<void> {
  const { db, config, clock } = deps
  const { tenantId, session } = room
  const ref = { tenantId, externalType: session.externalType, externalId: session.externalId }
  const deadlineMs = performance.now() + config.waits.claimMs
  while (!(await insertWithinQuotas(deps, room, limits))) {
    const holder = await findHolder(db, ref)
    if (holder?.isRoom === true) throw duplicateOf(holder.sessionId)
    if (holder !== undefined && holder.createdAt < abandonedBefore(clock())) {
      await undo(deps, holder.roomId)
      continue
    }
    if (performance.now() > deadlineMs) {
      // The outcome of the other booking is still open, so ask the caller to retry.
      throw new ServiceError('SERVICE_UNAVAILABLE', {
        headers: { 'retry-after': '10' },
        note: 'another booking of this external reference has not ended',
      })
    }
    await delay(CLAIM_POLL_MS)
  }
}

/**
 * Returns false when the external reference is taken. That is checked before the quotas, so that a repeat learns of its
 * room.
 */
async function insertWithinQuotas(
  { db, clock }: CreateDeps,
  room: BookedRoom,
  tenantLimits: TenantLimits,
): Promise<boolean> {
  const { tenantId } = room
  const { roomsMax, storedBytesMax } = tenantLimits
  if (roomsMax === null && storedBytesMax === null) return insertIntention(db, room)
  return inTransaction(db, async (tx) => {
    if (roomsMax !== null) await queueForRoomQuota(tx, tenantId)
    if (!(await insertIntention(tx, room))) return false
    if (roomsMax !== null) await refuseRoomTooMany(tx, { tenantId, roomsMax, now: clock() })
    await refuseFullStorage(tx, { tenantId, tenantLimits })
    return true
  })
}

function duplicateOf(sessionId: string): ServiceError {
  return refuseField('DUPLICATE_EXTERNAL_REF', {
    field: 'session.external_id',
    code: 'DUPLICATE',
    message: `is the reference of session ${sessionId}`,
  })
}

async function provision(deps: CreateDeps, room: IntendedRoom): Promise<ProvisionedRoom> {
  try {
    const { sid } = await deps.media.ensureRoom(mediaRoomSpec(room, room.createdAt))
    return { room, mediaRoomSid: sid }
  } catch (error) {
    await undo(deps, room.id)
    if (!(error instanceof MediaError)) throw error
    throw new ServiceError('RTC_PROVISION_FAILED', { cause: error })
  }
}

/** The provider may have made the media room even if its answer was lost, so a job removes it. */
async function undo({ db }: Pick<Deps, 'db'>, roomId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await deleteIntention(tx, roomId)
    await enqueue(tx, closeMediaRoomRequest(roomId))
  })
}
