import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'

const LISTERS = ROLES.filter((role) => CAPABILITIES[role].canListHandouts)

/** The tenant changed the handouts: the open lists are read anew. */
export async function tellOfList(tx: Tx, roomId: string): Promise<void> {
  await tellRoom(tx, roomId, { name: 'handouts', roles: LISTERS })
}
