import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { hideForClose } from '../handouts/present-in-room.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Clock } from '../lib/clock.ts'
import { cleanFreeText } from '../lib/free-text.ts'
import { ServiceError } from '../lib/service-error.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { MediaError } from '../media/media.ts'
import { stopRecording } from '../recordings/stop-recording.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import { isCancelledByClose } from '../sessions/session.ts'
import { closeMediaRoomRequest } from './close-media-room.job.ts'
import { hasEntries } from './has-entries.ts'
import type { Room } from './room.ts'
import type { HeldRoomKey } from './room-lock.ts'
import { findRoom, lockRoom, markCancelled, markClosed } from './store.ts'

export interface RoomClose {
  tenantId: string
  roomId: string
  /** Kept in the log of the room, cleaned; an empty one is none. */
  reason: string | null
  /** True when the session is cancelled, whatever the time and whoever was there. */
  isCancellation?: boolean
}

/**
 * Closes the room for good and puts everybody out; a repeat changes nothing. Throws 404 NOT_FOUND.
 */
export async function closeRoom(deps: CloseDeps, close: RoomClose): Promise<Room> {
  const room = await inTransaction(deps.db, async (tx) => {
    return markRoomClosed(tx, close, deps.clock)
  })
  await emptyMediaRoom(deps, room.id)
  return room
}

type CloseDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'log'>

/** The close itself, for a transaction that has more to do. Throws 404 NOT_FOUND. */
export async function markRoomClosed(tx: Tx, close: RoomClose, clock: Clock): Promise<Room> {
  const held = await lockRoom(tx, close)
  if (held === undefined) throw new ServiceError('NOT_FOUND')
  // The time of the close is read when nobody is on the way in any more.
  const now = clock()
  const isNew = await markClosed(tx, close, now)
  const room = await findRoom(tx, close)
  if (room === undefined) throw new ServiceError('NOT_FOUND')
  const { session } = room
  const isCancelled =
    close.isCancellation === true || (isNew && (await isCancelledByIt(tx, room, now)))
  if (isCancelled) await markCancelled(tx, close, now)
  if (isNew) await recordClose(tx, held, { reason: close.reason, now })
  if (session === null || !isCancelled) return room
  return { ...room, session: { ...session, cancelledAt: session.cancelledAt ?? now } }
}

async function isCancelledByIt(tx: Tx, { id, session }: Room, now: Date): Promise<boolean> {
  return (
    session !== null && isCancelledByClose(session, { hasEntries: await hasEntries(tx, id), now })
  )
}

async function recordClose(
  tx: Tx,
  held: HeldRoomKey,
  { reason, now }: { reason: string | null; now: Date },
): Promise<void> {
  await enqueue(tx, closeMediaRoomRequest(held.roomId))
  await hideForClose(tx, held)
  await stopRecording(tx, held, { reason: 'room_closed', now })
  const payload = { reason: cleanFreeText(reason ?? '') || null }
  await appendRoomEvent(tx, { ...held, eventType: 'room.closed', payload })
  await tellRoom(tx, held, { name: 'closed', payload: { reason: 'room_closed' } })
}

/** At once after the commit, so that nobody stays for the job's turn; the job repeats what fails. */
export async function emptyMediaRoom(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  roomId: string,
): Promise<void> {
  try {
    await media.deleteRoom(roomId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'media room not closed yet')
  }
}
