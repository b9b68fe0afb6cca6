import type { Query } from '../../platform/db/db.ts'
import { listPresentationEvents } from './presentation-store.ts'
import { type PastPresentation, presentationsOf } from './presentation.ts'

/** What everybody in a room was shown so far, in order. */
export async function listPresentations(query: Query, roomId: string): Promise<PastPresentation[]> {
  return presentationsOf(await listPresentationEvents(query, roomId))
}
