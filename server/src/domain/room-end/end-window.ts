import { WINDOW_NOTICE_SEC } from '@interview-room/contract/limits.ts'
import { type Db, inTransaction } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { MediaConnection } from '../../platform/ports/media.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { hideForClose, isAnythingShown } from '../handouts/present-in-room.ts'
import { followRecordingRequest } from '../recording/recordings/recording-requests.ts'
import { appendRoomEventOnce } from '../room-log/append-room-event.ts'
import {
  isClosePublished,
  publishLiveEventOnce,
  isCloseAnnounced,
} from '../room-log/publish-live-event.ts'
import { findWatchedRoom, type WatchedRoom } from './store.ts'

const EVENT = 'session.window_ended'

/**
 * Ends the window: removes the participants, and once for each end of a moved slot publishes it to every open page, ends
 * the presentation and writes the room event. The room stays open. Does nothing if the slot was moved or the room closed
 * since the caller read the end of the window.
 */
export async function endWindow(
  { db, media, clock }: Pick<Deps, 'db' | 'media' | 'clock'>,
  room: Pick<WatchedRoom, 'id' | 'tenantId'>,
  people: readonly MediaConnection[],
): Promise<void> {
  const { tenantId, id: roomId } = room
  if (people.length === 0 && (await isOver(db, roomId))) return
  const hasEnded = await inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId, roomId })
    const current = await findWatchedRoom(tx, roomId)
    if (current === undefined || current.isReleased || !isOverdue(current, clock())) return false
    await hideForClose(tx, locked)
    await enqueue(tx, followRecordingRequest(roomId))
    // Publish to pages without media too: they wait for consent, or are connected only for the chat.
    const closed = { name: 'closed', payload: { reason: 'window_ended' } } as const
    const after = await publishLiveEventOnce(tx, locked, closed)
    if (people.length > 0)
      await appendRoomEventOnce(tx, { ...locked, eventType: EVENT, payload: null, after })
    return true
  })
  if (!hasEnded) return
  for (const { identity } of people) await media.removeConnection(roomId, identity)
}

/** True when the minute of notice is over. */
export function isOverdue({ closesAt }: Pick<WatchedRoom, 'closesAt'>, now: Date): boolean {
  return closesAt !== null && now >= endOfNotice(closesAt)
}

export function endOfNotice(closesAt: Date): Date {
  return new Date(closesAt.getTime() + WINDOW_NOTICE_SEC * 1000)
}

/**
 * Announces the removal to open pages during the minute of notice, once for each end of a moved slot. Does nothing under
 * the same conditions as `endWindow`.
 */
export async function giveNotice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id: roomId, tenantId, closesAt }: Pick<WatchedRoom, 'id' | 'tenantId' | 'closesAt'>,
): Promise<void> {
  if (closesAt === null || clock() < closesAt || (await isCloseAnnounced(db, roomId))) return
  await inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId, roomId })
    const current = await findWatchedRoom(tx, roomId)
    if (current === undefined || current.isReleased || current.closesAt === null) return
    if (clock() < current.closesAt) return
    const payload = { at: endOfNotice(current.closesAt).toISOString() }
    await publishLiveEventOnce(tx, locked, { name: 'closing', payload })
  })
}

/** True when the end was published and nothing is presented any more. */
async function isOver(db: Db, roomId: string): Promise<boolean> {
  return (await isClosePublished(db, roomId)) && !(await isAnythingShown(db, roomId))
}
