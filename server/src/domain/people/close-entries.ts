import { witnessesOf } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { type LockedRoom, queueForRoom } from '../room-log/room-lock.ts'
import { findConsentTerms } from './consent-store.ts'
import {
  listOpenEntries,
  markAllLeft,
  markLeft,
  markMissed,
  markPersonLeft,
} from './entry-store.ts'
import { endScreensOfAbsent } from './record-screen.ts'
import { requestMediaRights } from './update-media-rights.ts'

/** Sets `left_at` of one media connection. A repeat changes nothing. */
export async function closeEntry(
  tx: Tx,
  left: { roomId: string; mediaSid: string; at: Date },
): Promise<void> {
  const locked = await queueForRoom(tx, left.roomId, 'shared')
  await publishDepartures(tx, locked, await markLeft(tx, left))
}

/**
 * Closes every open entry of a room that was closed or whose media room has ended. Takes the exclusive lock of the room.
 */
export async function closeOpenEntries(tx: Tx, close: { roomId: string; at: Date }): Promise<void> {
  const locked = await queueForRoom(tx, close.roomId, 'alone')
  await publishDepartures(tx, locked, await markAllLeft(tx, close))
}

/** Closes every open entry of a removed participant. */
export async function closeEntriesOf(
  tx: Tx,
  close: { roomId: string; mediaIdentity: string; at: Date },
): Promise<void> {
  const locked = await queueForRoom(tx, close.roomId, 'alone')
  await publishDepartures(tx, locked, await markPersonLeft(tx, close))
}

/**
 * Closes entries that were missing from the provider's list twice in a row, because one list may be slightly out of date.
 * They end at the first miss.
 */
export async function closeMissing(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  roomId: string,
  present: ReadonlySet<string>,
): Promise<void> {
  for (const { mediaSid, missedAt } of await listOpenEntries(db, roomId)) {
    const isPresent = present.has(mediaSid)
    if (isPresent && missedAt !== null) await markMissed(db, { roomId, mediaSid, at: null })
    if (isPresent) continue
    if (missedAt === null) await markMissed(db, { roomId, mediaSid, at: clock() })
    else await inTransaction(db, (tx) => closeEntry(tx, { roomId, mediaSid, at: missedAt }))
  }
}

/** Ends the screens of the people who left, and publishes the new roster to the roles that could see them. */
async function publishDepartures(tx: Tx, locked: LockedRoom, left: readonly Role[]): Promise<void> {
  if (left.length === 0) return
  await endScreensOfAbsent(tx, locked)
  // Observers may have been waiting for the consent of those who left.
  if (left.includes('panelist')) {
    await requestMediaRights(tx, locked.roomId, await findConsentTerms(tx, locked.roomId))
  }
  const roles = [...new Set(left.flatMap((role) => witnessesOf(role)))]
  await publishLiveEvent(tx, locked, { name: 'roster', roles })
}
