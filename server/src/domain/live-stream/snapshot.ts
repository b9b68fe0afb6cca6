import type { Snapshot } from '@interview-room/contract/live-stream.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { presentSlotTimes } from '../booking/present-session.ts'
import { findPresentation, presentationFor } from '../handouts/find-presentation.ts'
import { checkStillAdmitted } from '../people/admit.ts'
import { listPostedEvents } from '../people/list-posted-events.ts'
import { findSpotlightIdentity } from '../people/read-people.ts'
import type { TicketHolder } from '../people/ticket.ts'
import { listQuestions } from '../questions/list-questions.ts'
import { isLiveTextFor } from '../recording/live-text/read-live-texts.ts'
import { findShownRecording } from '../recording/recordings/read-recordings.ts'
import { findPosition } from '../room-log/read-logs.ts'
import { listPeople } from './people-store.ts'
import { rosterFor } from './present-live-event.ts'

/**
 * The present state and its position in the log. Throws the refusals of admission, because the stream has no event for a
 * removal or a close before that position.
 */
export async function takeSnapshot(
  deps: Pick<Deps, 'db' | 'storage' | 'clock'>,
  reader: Omit<TicketHolder, 'tenantId' | 'displayName'>,
): Promise<{ snapshot: Snapshot; position: bigint }> {
  const { db, clock } = deps
  const { role, roomId: id } = reader
  // Read everything in one snapshot of the database. Later changes come as events.
  const read = async (query: Tx) => {
    const position = await findPosition(query, id)
    const snapshot = {
      now: clock().toISOString(),
      roster: rosterFor(role, await listPeople(query, id)),
      presentation: presentationFor(role, await findPresentation(deps, query, id)),
      spotlight: await findSpotlightIdentity(query, id),
      recording: await findShownRecording(query, id, clock()),
      facts: await listPostedEvents(query, id, reader),
      questions: await listQuestions(query, id, role),
      has_live_text: await isLiveTextFor(query, reader),
    }
    return { snapshot, position }
  }
  const { snapshot, position } = await inTransaction(db, read, { isSnapshot: true })
  // Checked only after the position was read: an earlier removal or close shows here, a later one is an event.
  const { session } = await checkStillAdmitted(deps, reader)
  const slot = session === null ? null : presentSlotTimes(session)
  return { snapshot: { ...snapshot, slot }, position }
}
