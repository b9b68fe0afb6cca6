import { FAREWELL_MARKERS_MAX } from '@interview-room/contract/farewell.ts'
import {
  POSTED_EVENT_AUDIENCE,
  POSTED_EVENT_TYPES,
  type PostedEventType,
} from '@interview-room/contract/live-moderation.ts'
import { type PostedEvent, SNAPSHOT_EVENTS_MAX } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../platform/db/db.ts'
import { listMarkerRows, listPostedEventRows, type PostedEventRow } from './posted-event-store.ts'
import type { TicketHolder } from './ticket.ts'

/** The posted events that this role may see, oldest first, for a page that joins late or again. */
export async function listPostedEvents(
  query: Query,
  roomId: string,
  { role, mediaIdentity: reader }: Pick<TicketHolder, 'role' | 'mediaIdentity'>,
): Promise<PostedEvent[]> {
  const types = typesFor(role)
  if (types.length === 0) return []
  const rows = await listPostedEventRows(query, {
    roomId,
    types,
    reader,
    limit: SNAPSHOT_EVENTS_MAX,
  })
  return rows.toReversed().map(present)
}

/** The newest markers that these participants posted, oldest first. */
export async function listOwnMarkers(
  query: Query,
  roomId: string,
  participantIds: readonly string[],
): Promise<PostedEvent[]> {
  if (participantIds.length === 0) return []
  const rows = await listMarkerRows(query, { roomId, participantIds, limit: FAREWELL_MARKERS_MAX })
  return rows.toReversed().map(present)
}

/** Panelists see no past events. The roster shows them whose hand is up now. */
function typesFor(role: Role): PostedEventType[] {
  if (role === 'panelist') return []
  return POSTED_EVENT_TYPES.filter((type) => {
    const receivers: readonly Role[] = POSTED_EVENT_AUDIENCE[type].receivers
    return receivers.includes(role)
  })
}

function present({
  type,
  participantId,
  identity,
  displayName,
  payload,
  createdAt,
}: PostedEventRow): PostedEvent {
  return {
    type,
    participant_id: participantId,
    identity,
    display_name: displayName,
    payload,
    created_at: createdAt.toISOString(),
  }
}
