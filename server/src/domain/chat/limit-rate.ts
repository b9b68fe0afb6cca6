import { lockByName, type Tx } from '../../platform/db/db.ts'
import { queueForRoomAndName } from '../room-log/room-lock.ts'

/** Who sends: on the simple route every visit is somebody of its own. */
export interface Sender {
  roomId: string
  mediaIdentity: string
}

/**
 * What one sender does in a room's chat goes one after the other, on whichever replica: so that
 * twins of a message see each other, and what is counted is all there is.
 */
export async function queueBehind(tx: Tx, sender: Sender): Promise<void> {
  await lockByName(tx, nameOf(sender))
}

/** The same behind the shared lock of the room, in one statement. */
export async function queueInRoomBehind(tx: Tx, sender: Sender): Promise<void> {
  await queueForRoomAndName(tx, sender.roomId, nameOf(sender))
}

function nameOf({ roomId, mediaIdentity }: Sender): string {
  return `chat:${roomId}:${mediaIdentity}`
}
