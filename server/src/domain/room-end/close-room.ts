import { inTransaction, type Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { markRoomClosed } from '../booking/mark-closed.ts'
import { closeMediaRoomRequest } from '../booking/media-room.ts'
import type { Room } from '../booking/room.ts'
import { hideForClose } from '../handouts/present-in-room.ts'
import { stopRecording } from '../recording/recordings/order-recording.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'

export interface RoomClose {
  tenantId: string
  roomId: string
  /** Written to the room's log, cleaned. An empty one is left out. */
  reason: string | null
  /** The person who closes the room from inside; undefined for the tenant. */
  by?: string | null
  /** True when the session is cancelled, regardless of the time and of earlier entries. */
  isCancellation?: boolean
}

/** Closes the room for good and removes everybody. A repeat changes nothing. Throws 404 NOT_FOUND. */
export async function closeRoom(deps: CloseDeps, close: RoomClose): Promise<Room> {
  const room = await inTransaction(deps.db, async (tx) => {
    return closeInTransaction(tx, close, deps.clock)
  })
  await emptyMediaRoom(deps, room.id)
  return room
}

type CloseDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

/** The close itself, for a transaction with further steps. Throws 404 NOT_FOUND. */
export async function closeInTransaction(tx: Tx, close: RoomClose, clock: Clock): Promise<Room> {
  const locked = await lockRoom(tx, close)
  // Read the time of the close only with the lock, when no entry is still on its way.
  const now = clock()
  const { room, isNew } = await markRoomClosed(tx, locked, {
    at: now,
    isCancellation: close.isCancellation === true,
  })
  if (isNew) await recordClose(tx, locked, { ...close, now })
  return room
}

async function recordClose(
  tx: Tx,
  locked: LockedRoomKey,
  { reason, by, now }: Pick<RoomClose, 'reason' | 'by'> & { now: Date },
): Promise<void> {
  await enqueue(tx, closeMediaRoomRequest(locked.roomId))
  await hideForClose(tx, locked)
  await stopRecording(tx, locked, { reason: 'room_closed', now })
  const payload = {
    reason: cleanFreeText(reason ?? '') || null,
    ...(by !== undefined && { by }),
  }
  await appendRoomEvent(tx, { ...locked, eventType: 'room.closed', payload })
  await publishLiveEvent(tx, locked, { name: 'closed', payload: { reason: 'room_closed' } })
}

/** Runs right after the commit, so that nobody stays until the job runs. The job repeats a failed attempt. */
export async function emptyMediaRoom(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  roomId: string,
): Promise<void> {
  try {
    await media.deleteRoom(roomId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'closing the media room failed, will be retried')
  }
}
