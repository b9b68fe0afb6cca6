import { randomUUID } from 'node:crypto'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { insertMessage } from './store.ts'

/** Pages show messages of this sender as lines without a name. */
const SENDER_NAME = 'system'

/** Writes a message of the service into the public chat: the recording changed its status. */
export async function sendArchiveStatus(
  tx: Tx,
  room: LockedRoomKey,
  text: 'started' | 'paused' | 'stopped',
): Promise<void> {
  const { tenantId, roomId } = room
  const message = {
    id: randomUUID(),
    visibility: 'public',
    participantId: null,
    senderName: SENDER_NAME,
    contentType: 'archive_status',
    text,
    attachment: null,
  } as const
  const by = { tenantId, roomId, mediaIdentity: null, attachmentId: null, receivers: ROLES }
  await insertMessage(tx, message, by)
}
