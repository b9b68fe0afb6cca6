import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import { MediaError } from '../media/media.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import { isCancelledByClose } from '../sessions/session.ts'
import { closeMediaRoomRequest } from './close-media-room.job.ts'
import type { Room } from './room.ts'
import { findRoom, hasEntries, lockRoom, markCancelled, markClosed } from './store.ts'

export interface RoomClose {
  tenantId: string
  roomId: string
  /** Kept in the log of the room; 1..255 characters. */
  reason: string | null
}

/**
 * Closes the room for good and puts everybody out; a repeat changes nothing. Throws 404 NOT_FOUND.
 */
export async function closeRoom(
  { db, media, clock, log }: Pick<Deps, 'db' | 'media' | 'clock' | 'log'>,
  close: RoomClose,
): Promise<Room> {
  const room = await inTransaction(db, async (tx) => {
    if (!(await lockRoom(tx, close))) throw new ServiceError('NOT_FOUND')
    const now = clock()
    if (await markClosed(tx, close, now)) await recordClose(tx, close, now)
    return findRoom(tx, close)
  })
  if (room === undefined) throw new ServiceError('NOT_FOUND')

  // At once, so that nobody stays for the job's turn; the job repeats what fails here.
  try {
    await media.deleteRoom(room.id)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: room.id }, 'media room not closed yet')
  }
  return room
}

async function recordClose(tx: Tx, close: RoomClose, now: Date): Promise<void> {
  const room = await findRoom(tx, close)
  const session = room?.session ?? null
  if (session !== null) {
    const isCancelled = isCancelledByClose(session, {
      hasEntries: await hasEntries(tx, close.roomId),
      now,
    })
    if (isCancelled) await markCancelled(tx, close, now)
  }
  await enqueue(tx, closeMediaRoomRequest(close.roomId))
  await appendRoomEvent(tx, {
    tenantId: close.tenantId,
    roomId: close.roomId,
    eventType: 'room.closed',
    payload: { reason: close.reason },
  })
}
