import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { nextRoomMoment } from '../room-log/room-clock.ts'
import { type LockedRoom, queueForRoom } from '../room-log/room-lock.ts'
import { findSharer, listSharers, type Sharer } from './screen-store.ts'

/** A person starts or stops to publish a screen. */
interface ScreenChange {
  roomId: string
  identity: string
  isShared: boolean
}

/** Records `screen.started` or `screen.ended`. A repeat changes nothing. */
export async function recordScreen(
  { db }: Pick<Deps, 'db'>,
  { roomId, identity, isShared }: ScreenChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = await queueForRoom(tx, roomId, 'shared')
    const sharer = await findSharer(tx, { roomId, identity })
    if (sharer === undefined) return
    await nextRoomMoment(tx, locked)
    const sharers = await listSharers(tx, roomId)
    if (sharers.some((each) => each.identity === identity) === isShared) return
    await append(tx, locked, { sharer, eventType: isShared ? 'screen.started' : 'screen.ended' })
  })
}

/** Records `screen.ended` for everybody who left while sharing. */
export async function endScreensOfAbsent(tx: Tx, locked: LockedRoom): Promise<void> {
  if ((await listAbsent(tx, locked)).length === 0) return
  // The clock keeps transactions that only share the room's lock from recording an end twice.
  await nextRoomMoment(tx, locked)
  for (const sharer of await listAbsent(tx, locked)) {
    await append(tx, locked, { sharer, eventType: 'screen.ended' })
  }
}

async function listAbsent(tx: Tx, { roomId }: LockedRoom): Promise<Sharer[]> {
  return (await listSharers(tx, roomId)).filter(({ isPresent }) => !isPresent)
}

async function append(
  tx: Tx,
  locked: LockedRoom,
  { sharer, eventType }: { sharer: Sharer; eventType: 'screen.started' | 'screen.ended' },
): Promise<void> {
  const { tenantId, participantId, identity, displayName } = sharer
  await appendRoomEvent(tx, {
    ...locked,
    tenantId,
    eventType,
    payload: { participant_id: participantId, identity, display_name: displayName },
  })
}
