import type { Tx } from '../../../platform/db/db.ts'
import { deleteTracksOf, forgetPeopleOfReports, forgetPeopleOfSegments } from './erasure-store.ts'

/** Erases a person's data besides the recordings of a locked room: published tracks, segments and reports. */
export async function eraseTraces(
  tx: Tx,
  traces: { roomId: string; participantIds: readonly string[] },
): Promise<void> {
  await deleteTracksOf(tx, traces)
  await forgetPeopleOfSegments(tx, traces)
  await forgetPeopleOfReports(tx, traces)
}
