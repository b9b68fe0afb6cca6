import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Egress } from '../media/egress.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { applyEgress } from './apply-egress.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { findRecordedRoom } from './running-store.ts'

/**
 * What a notification tells of an egress. Whatever it does not tell, or of an egress that is not
 * known yet, is found by the job that it asks for.
 */
export async function applyNotifiedEgress(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  { roomId, egress }: { roomId: string; egress: Egress },
): Promise<void> {
  const room = await findRecordedRoom(db, roomId)
  if (room === undefined) return
  await inTransaction(db, async (tx) => {
    const held = await holdRoom(tx, room)
    await applyEgress(tx, held, { egress, now: clock(), log })
    await enqueue(tx, followRecordingRequest(roomId))
  })
}
