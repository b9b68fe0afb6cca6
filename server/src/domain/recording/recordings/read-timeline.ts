import type { Query } from '../../../platform/db/db.ts'
import type { PageRequest } from '../../../platform/ports/paging.ts'
import { listEventsBetween, type MomentOfRoom } from '../../room-log/read-logs.ts'
import type { Recording } from './recording.ts'
import { offsetSecOf, type PlacedSpan } from './timeline.ts'

/** A room event, and where the recording has it. */
export interface PlacedEvent {
  event: MomentOfRoom
  offsetSec: number
}

interface TimelineRequest extends PageRequest {
  places: readonly PlacedSpan[]
}

/** The events of the room that are in the recording, oldest first; one more than the limit. */
export async function listTimeline(
  query: Query,
  { roomId }: Pick<Recording, 'roomId'>,
  { places, ...request }: TimelineRequest,
): Promise<PlacedEvent[]> {
  const events = await listEventsBetween(query, { roomId, spans: places, ...request })
  return events.flatMap((event) => {
    const offsetSec = offsetSecOf(places, event.at)
    return offsetSec === undefined ? [] : [{ event, offsetSec }]
  })
}
