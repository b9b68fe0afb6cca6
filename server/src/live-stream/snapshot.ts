import type { Snapshot } from '@interview-room/contract/live-stream.ts'
import type { Query } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { findPresentation } from '../handouts/find-presentation.ts'
import type { GateRoom } from '../participants/participant.ts'
import { windowOf } from '../sessions/session.ts'
import type { Reader } from './live-event.ts'
import { findPosition, listPeople } from './store.ts'
import { rosterFor } from './told.ts'

/** How things stand, and the place in the log at which they stand so. */
export async function takeSnapshot(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  room: GateRoom,
  reader: Reader,
): Promise<{ snapshot: Snapshot; position: bigint }> {
  const { db, clock } = deps
  // One moment of the database for all of it: what comes later is told by events.
  return db.begin('isolation level repeatable read read only', async (tx) => {
    const query = tx as unknown as Query
    const position = await findPosition(query, room.id)
    const people = await listPeople(query, room.id)
    const presentation = await findPresentation(deps, query, room.id)
    const { session } = room
    const snapshot = {
      now: clock().toISOString(),
      closes_at: session === null ? null : windowOf(session).closesAt.toISOString(),
      roster: rosterFor(reader.role, people),
      presentation,
    }
    return { snapshot, position }
  }) as Promise<{ snapshot: Snapshot; position: bigint }>
}
