import type { Tx } from '../../platform/db/db.ts'
import { eraseLiveEvents, eraseRoomEvents, type TracesInLog } from './erasure-store.ts'

/** Takes somebody out of the logs of a locked room; answers how many room events went. */
export async function eraseFromLogs(tx: Tx, traces: TracesInLog): Promise<number> {
  await eraseLiveEvents(tx, traces)
  return eraseRoomEvents(tx, traces)
}
