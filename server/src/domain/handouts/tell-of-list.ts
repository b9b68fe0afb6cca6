import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { HeldRoom } from '../room-log/room-lock.ts'
import { tellRoom } from '../room-log/tell-room.ts'

const LISTERS = ROLES.filter((role) => CAPABILITIES[role].canListHandouts)

/** The tenant changed the handouts: the open lists are read anew. */
export async function tellOfList(tx: Tx, held: HeldRoom): Promise<void> {
  await tellRoom(tx, held, { name: 'handouts', roles: LISTERS })
}
