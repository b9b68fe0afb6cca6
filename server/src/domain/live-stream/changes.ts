import type { Deps } from '../../platform/ports/deps.ts'
import { isLast, mayRead, type PublishedEvent, type Reader } from '../room-log/live-event.ts'
import { listLiveEvents } from '../room-log/read-logs.ts'
import { presentLiveEvent, readFor } from './present-live-event.ts'

const BATCH = 500

interface Changes {
  /** At most 500 rows of the log; the next call continues after them. */
  events: PublishedEvent[]
  /** `seq` of the last row that was examined. */
  position: bigint
}

/** The events after a position in the log of a room that this reader may see, oldest first. Nothing follows the last event. */
export async function changesSince(
  deps: Pick<Deps, 'db' | 'storage' | 'config' | 'clock'>,
  reader: Reader & { roomId: string },
  after: bigint,
): Promise<Changes> {
  const { roomId, role } = reader
  const rows = await listLiveEvents(deps.db, { roomId, after, limit: BATCH })
  const reading = await readFor(deps, roomId, rows)
  const events: PublishedEvent[] = []
  for (const row of rows.filter((each) => mayRead(each, reader))) {
    const published = presentLiveEvent(row, reading, role)
    if (published !== undefined) events.push(published)
    if (isLast(row)) break
  }
  return { events, position: rows.at(-1)?.seq ?? after }
}
