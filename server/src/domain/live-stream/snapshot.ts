import type { Snapshot } from '@interview-room/contract/live-stream.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { presentSlotTimes } from '../booking/present-session.ts'
import { findPresentation, presentationFor } from '../handouts/find-presentation.ts'
import { listPostedEvents } from '../people/list-posted-events.ts'
import type { AdmissionRoom } from '../people/participant.ts'
import { findSpotlightIdentity } from '../people/read-people.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { listQuestions } from '../questions/list-questions.ts'
import { findShownRecording } from '../recording/recordings/read-recordings.ts'
import { findPosition } from '../room-log/read-logs.ts'
import { listPeople } from './people-store.ts'
import { rosterFor } from './present-live-event.ts'

/** The present state, and its position in the log. */
export async function takeSnapshot(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  { id, session }: AdmissionRoom,
  reader: Pick<TicketHolder, 'role' | 'mediaIdentity'>,
): Promise<{ snapshot: Snapshot; position: bigint }> {
  const { db, clock } = deps
  const { role } = reader
  // One moment of the database for all of it: later changes come as events.
  const read = async (query: Tx) => {
    const position = await findPosition(query, id)
    const snapshot = {
      now: clock().toISOString(),
      slot: session === null ? null : presentSlotTimes(session),
      roster: rosterFor(role, await listPeople(query, id)),
      presentation: presentationFor(role, await findPresentation(deps, query, id)),
      spotlight: await findSpotlightIdentity(query, id),
      recording: await findShownRecording(query, id, clock()),
      facts: await listPostedEvents(query, id, reader),
      questions: await listQuestions(query, id, role),
    }
    return { snapshot, position }
  }
  return inTransaction(db, read, { isSnapshot: true })
}
