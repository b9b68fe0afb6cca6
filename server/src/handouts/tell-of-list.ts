import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import type { HeldRoom } from '../rooms/room-lock.ts'

const LISTERS = ROLES.filter((role) => CAPABILITIES[role].canListHandouts)

/** The tenant changed the handouts: the open lists are read anew. */
export async function tellOfList(tx: Tx, held: HeldRoom): Promise<void> {
  await tellRoom(tx, held, { name: 'handouts', roles: LISTERS })
}
