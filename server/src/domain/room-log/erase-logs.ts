import type { Tx } from '../../platform/db/db.ts'
import { eraseLiveEvents, eraseRoomEvents, type TracesInLog } from './erasure-store.ts'

/** Removes a person from the logs of a locked room. Returns the number of room events deleted. */
export async function eraseFromLogs(tx: Tx, traces: TracesInLog): Promise<number> {
  await eraseLiveEvents(tx, traces)
  return eraseRoomEvents(tx, traces)
}
