import { commitTogether, inTransaction, type Tx, together } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { markCancelled, markRoomClosed } from '../booking/mark-closed.ts'
import { closeMediaRoomRequest } from '../booking/media-room.ts'
import type { Room } from '../booking/room.ts'
import { appendHide, findShown } from '../handouts/present-in-room.ts'
import { findRunning, stopRunning } from '../recording/recordings/order-recording.ts'
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
    return closeInTransaction(tx, close, deps.clock, { isLast: true })
  })
  await emptyMediaRoom(deps, room.id)
  return room
}

type CloseDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

/**
 * The close itself, also for a transaction with further steps; if it is the last one (`isLast`), the commit is sent with it.
 * Everybody in the room waits for this transaction, so it takes few round trips. Throws 404 NOT_FOUND.
 */
export async function closeInTransaction(
  tx: Tx,
  close: RoomClose,
  clock: Clock,
  { isLast = false } = {},
): Promise<Room> {
  const locked = await lockRoom(tx, close)
  // Read the time of the close only with the lock, when no entry is still on its way.
  const now = clock()
  const isCancellation = close.isCancellation === true
  const [{ room, isNew, isCancelled }, shown, running] = await together([
    markRoomClosed(tx, locked, { at: now, isCancellation }),
    findShown(tx, locked.roomId),
    findRunning(tx, locked.roomId),
  ])
  if (isNew && shown !== undefined) await appendHide(tx, locked, shown)
  if (isNew && running !== undefined) {
    await stopRunning(tx, locked, running, { reason: 'room_closed', now })
  }
  const last = [
    ...(isCancelled ? [markCancelled(tx, locked, now)] : []),
    ...(isNew ? recordClose(tx, locked, close) : []),
  ]
  await (isLast ? commitTogether(tx, last) : together(last))
  return room
}

function recordClose(
  tx: Tx,
  locked: LockedRoomKey,
  { reason, by }: Pick<RoomClose, 'reason' | 'by'>,
): Promise<unknown>[] {
  const payload = {
    reason: cleanFreeText(reason ?? '') || null,
    ...(by !== undefined && { by }),
  }
  return [
    enqueue(tx, closeMediaRoomRequest(locked.roomId)),
    appendRoomEvent(tx, { ...locked, eventType: 'room.closed', payload }),
    publishLiveEvent(tx, locked, { name: 'closed', payload: { reason: 'room_closed' } }),
  ]
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
