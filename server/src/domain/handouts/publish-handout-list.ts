import type { Tx } from '../../platform/db/db.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoom } from '../room-log/room-lock.ts'

/** Tells open lists to reload, because the tenant changed the handouts. */
export async function publishHandoutList(tx: Tx, locked: LockedRoom): Promise<void> {
  await publishLiveEvent(tx, locked, { name: 'handouts' })
}
