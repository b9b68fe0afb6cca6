import { witnessesOf } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../db/db.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { type HeldRoom, queueForRoom } from '../rooms/room-lock.ts'
import { markAllLeft, markLeft, markPersonLeft } from './store.ts'

/** Fills `left_at` of one media connection; a repeat changes nothing. */
export async function closeEntry(
  tx: Tx,
  left: { roomId: string; mediaSid: string; at: Date },
): Promise<void> {
  const held = await queueForRoom(tx, left.roomId, 'shared')
  await tellOfLeaving(tx, held, await markLeft(tx, left))
}

/** Closes every open entry of a room, which nobody shares meanwhile: it was closed, or its media room is gone. */
export async function closeOpenEntries(tx: Tx, close: { roomId: string; at: Date }): Promise<void> {
  const held = await queueForRoom(tx, close.roomId, 'alone')
  await tellOfLeaving(tx, held, await markAllLeft(tx, close))
}

/** Closes every open entry of somebody who was put out. */
export async function closeEntriesOf(
  tx: Tx,
  close: { roomId: string; mediaIdentity: string; at: Date },
): Promise<void> {
  const held = await queueForRoom(tx, close.roomId, 'alone')
  await tellOfLeaving(tx, held, await markPersonLeft(tx, close))
}

/** To those who may know that somebody of these roles was there. */
async function tellOfLeaving(tx: Tx, held: HeldRoom, left: readonly Role[]): Promise<void> {
  if (left.length === 0) return
  const roles = [...new Set(left.flatMap((role) => witnessesOf(role)))]
  await tellRoom(tx, held, { name: 'roster', roles })
}
