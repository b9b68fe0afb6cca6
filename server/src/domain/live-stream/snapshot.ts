import type { Snapshot } from '@interview-room/contract/live-stream.ts'
import { type Query, readSnapshot, together } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { presentSlotTimes } from '../booking/present-session.ts'
import { findPresentation, presentationFor } from '../handouts/find-presentation.ts'
import { judgeAdmitted, readAdmitted } from '../people/admit.ts'
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
  const read = async (query: Query) => {
    const [position, people, presentation, ...rest] = await together([
      findPosition(query, id),
      listPeople(query, id),
      findPresentation(deps, query, id),
      findSpotlightIdentity(query, id),
      findShownRecording(query, id, clock()),
      listPostedEvents(query, id, reader),
      listQuestions(query, id, role),
      isLiveTextFor(query, reader),
    ])
    const [spotlight, recording, facts, questions, has_live_text] = rest
    const snapshot = {
      now: clock().toISOString(),
      roster: rosterFor(role, people),
      presentation: presentationFor(role, presentation),
      spotlight,
      recording,
      facts,
      questions,
      has_live_text,
    }
    return { snapshot, position }
  }
  // Later changes than the position come as events. An earlier removal or close shows in the check afterwards.
  const [{ snapshot, position }, known] = await readSnapshot(db, read, (query) =>
    readAdmitted(query, reader),
  )
  const { session } = judgeAdmitted(known, reader, clock())
  const slot = session === null ? null : presentSlotTimes(session)
  return { snapshot: { ...snapshot, slot }, position }
}
