import type { Tx } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/named-locks.ts'
import { queueForRoomAndName } from '../room-log/room-lock.ts'

/** The sender of a message. On the simple route every visit counts as a sender of its own. */
export interface Sender {
  roomId: string
  mediaIdentity: string
}

/**
 * Serialises the requests of one sender in a room's chat, across replicas. So concurrent repeats of a message see each
 * other, and the rate limit counts every message.
 */
export async function queueBehind(tx: Tx, sender: Sender): Promise<void> {
  await lockByName(tx, nameOf(sender))
}

/** Takes the room's shared lock first, in the same statement. */
export async function queueInRoomBehind(tx: Tx, sender: Sender): Promise<void> {
  await queueForRoomAndName(tx, sender.roomId, nameOf(sender))
}

function nameOf({ roomId, mediaIdentity }: Sender): string {
  return `chat:${roomId}:${mediaIdentity}`
}
