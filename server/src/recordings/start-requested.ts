import type { Deps } from '../deps.ts'
import { findRecordedRoom } from './running-store.ts'
import { listUnfinishedSegments } from './segment-store.ts'
import { startSegment } from './start-segment.ts'

/** Asks the provider for every part that was requested, and to end what shall end. Throws `MediaError`. */
export async function startRequested(
  deps: Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>,
  roomId: string,
): Promise<void> {
  const room = await findRecordedRoom(deps.db, roomId)
  if (room === undefined) return
  for (const segment of await listUnfinishedSegments(deps.db, roomId)) {
    const { status, egressId, endsAskedAt } = segment
    if (endsAskedAt !== null) {
      if (egressId !== null && status !== 'ending') await deps.media.stopEgress(egressId)
    } else if (status === 'requested') await startSegment(deps, room, segment)
  }
}
