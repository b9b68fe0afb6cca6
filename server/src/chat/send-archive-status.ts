import { randomUUID } from 'node:crypto'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoomKey } from '../rooms/room-lock.ts'
import { insertMessage } from './store.ts'

/** Nobody's name: pages show these messages as lines without a sender. */
const SENDER_NAME = 'system'

/** A line in the public chat that the service writes itself: what became of the recording. */
export async function sendArchiveStatus(
  tx: Tx,
  room: HeldRoomKey,
  text: 'started' | 'paused' | 'stopped',
): Promise<void> {
  const { tenantId, roomId } = room
  const { seq, at } = await nextRoomMoment(tx, room)
  const id = randomUUID()
  const message = {
    id,
    seq,
    visibility: 'public',
    participantId: null,
    senderName: SENDER_NAME,
    contentType: 'archive_status',
    text,
    attachment: null,
    createdAt: at,
  } as const
  await insertMessage(tx, message, { tenantId, roomId, mediaIdentity: null, attachmentId: null })
  await tellRoom(tx, room, { name: 'message', messageId: id })
}
