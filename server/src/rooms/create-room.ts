import { setTimeout as delay } from 'node:timers/promises'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { MediaError } from '../media/media.ts'
import { newAccessToken } from '../sessions/access-token.ts'
import { type NewSlot, refuseImpossibleSlot } from '../sessions/slot.ts'
import { closeMediaRoomRequest } from './close-media-room.job.ts'
import { mediaRoomSpec } from './ensure-media-room.ts'
import { abandonedBefore, type Room, type RoomSettings } from './room.ts'
import {
  type BookedRoom,
  deleteIntention,
  findHolder,
  type IntendedRoom,
  insertIntention,
  insertSlotlessIntention,
  markProvisioned,
} from './store.ts'

type CreateDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config'>

export interface RoomBooking {
  tenantId: string
  settings: RoomSettings
  slot: NewSlot
}

/**
 * Books a room with its session and media room: the intention is committed, the provider makes the
 * media room, its sid makes the intention a room. A process that dies in between leaves an
 * intention, which nobody sees and a job undoes.
 *
 * `onCreated` runs in the transaction that makes it a room.
 * Throws 422 INVALID_TIME_WINDOW, 409 DUPLICATE_EXTERNAL_REF, 502 RTC_PROVISION_FAILED.
 */
export async function createRoom(
  deps: CreateDeps,
  booking: RoomBooking,
  onCreated: (tx: Tx, room: Room) => Promise<void>,
): Promise<void> {
  const now = deps.clock()
  refuseImpossibleSlot(booking.slot, now, 'session.')

  const room = intend(booking, now)
  await claimExternalRef(deps, room)
  await completeRoom(deps, room, onCreated)
}

/** A room without a slot, in the same steps. Throws 502 RTC_PROVISION_FAILED. */
export async function createSlotlessRoom(
  deps: CreateDeps,
  { tenantId, settings }: Omit<RoomBooking, 'slot'>,
  onCreated: (tx: Tx, room: Room) => Promise<void>,
): Promise<void> {
  const now = deps.clock()
  const room = { ...settings, id: uuidv7(now.getTime()), tenantId, createdAt: now, session: null }
  await insertSlotlessIntention(deps.db, room)
  await completeRoom(deps, room, onCreated)
}

async function completeRoom(
  deps: CreateDeps,
  room: IntendedRoom,
  onCreated: (tx: Tx, room: Room) => Promise<void>,
): Promise<void> {
  const sid = await provision(deps, room)
  const session = room.session && { ...room.session, cancelledAt: null }
  try {
    await inTransaction(deps.db, async (tx) => {
      if (!(await markProvisioned(tx, room.id, sid))) {
        throw new ServiceError('RTC_PROVISION_FAILED', { note: 'undone while provisioning' })
      }
      await onCreated(tx, { ...room, mediaRoomSid: sid, closedAt: null, session })
    })
  } catch (error) {
    await undo(deps, room.id)
    throw error
  }
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
 * Commits the intention. Where somebody else's stands, waits for what becomes of it: a room is a
 * duplicate, an undone intention frees the reference, and so does one whose process died.
 */
async function claimExternalRef(deps: CreateDeps, room: BookedRoom): Promise<void> {
  const { db, config, clock } = deps
  const { tenantId, session } = room
  const ref = { tenantId, externalType: session.externalType, externalId: session.externalId }
  const deadlineMs = performance.now() + config.waits.claimMs
  while (!(await insertIntention(db, room))) {
    const holder = await findHolder(db, ref)
    if (holder?.isRoom === true) throw new ServiceError('DUPLICATE_EXTERNAL_REF')
    if (holder !== undefined && holder.createdAt < abandonedBefore(clock())) {
      await undo(deps, holder.roomId)
      continue
    }
    if (performance.now() > deadlineMs) {
      // Whether the reference is taken is not decided yet, so the caller is asked to come back.
      throw new ServiceError('SERVICE_UNAVAILABLE', {
        headers: { 'retry-after': '10' },
        note: 'another booking of this external reference has not ended',
      })
    }
    await delay(CLAIM_POLL_MS)
  }
}

async function provision(deps: CreateDeps, room: IntendedRoom): Promise<string> {
  try {
    const { sid } = await deps.media.ensureRoom(mediaRoomSpec(room, room.createdAt))
    return sid
  } catch (error) {
    await undo(deps, room.id)
    if (!(error instanceof MediaError)) throw error
    throw new ServiceError('RTC_PROVISION_FAILED', { cause: error })
  }
}

/** The provider may have made the media room although its answer was lost: a job removes it. */
async function undo({ db }: CreateDeps, roomId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await deleteIntention(tx, roomId)
    await enqueue(tx, closeMediaRoomRequest(roomId))
  })
}
