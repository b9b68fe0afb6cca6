import type { Snapshot } from '@interview-room/contract/live-stream.ts'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { listFacts } from '../facts/list-facts.ts'
import { findPresentation } from '../handouts/find-presentation.ts'
import type { GateRoom } from '../participants/participant.ts'
import { findShownRecording } from '../recordings/find-shown-recording.ts'
import { presentSlotTimes } from '../sessions/present-slot-times.ts'
import type { Reader } from './live-event.ts'
import { findPosition, listPeople } from './store.ts'
import { rosterFor } from './told.ts'

/** How things stand, and the place in the log at which they stand so. */
export async function takeSnapshot(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  { id, session }: GateRoom,
  { role }: Pick<Reader, 'role'>,
): Promise<{ snapshot: Snapshot; position: bigint }> {
  const { db, clock } = deps
  // One moment of the database for all of it: what comes later is told by events.
  const read = async (query: Tx) => {
    const position = await findPosition(query, id)
    const snapshot = {
      now: clock().toISOString(),
      slot: session === null ? null : presentSlotTimes(session),
      roster: rosterFor(role, await listPeople(query, id)),
      presentation: await findPresentation(deps, query, id),
      recording: await findShownRecording(query, id),
      facts: await listFacts(query, id, role),
    }
    return { snapshot, position }
  }
  return inTransaction(db, read, { isSnapshot: true })
}
