import { lockByName, type Tx } from '../../platform/db/db.ts'

/** Who sends: on the simple route every visit is somebody of its own. */
export interface Sender {
  roomId: string
  mediaIdentity: string
}

/**
 * What one sender does in a room's chat goes one after the other, on whichever replica: so that
 * twins of a message see each other, and what is counted is all there is.
 */
export async function queueBehind(tx: Tx, { roomId, mediaIdentity }: Sender): Promise<void> {
  await lockByName(tx, `chat:${roomId}:${mediaIdentity}`)
}
