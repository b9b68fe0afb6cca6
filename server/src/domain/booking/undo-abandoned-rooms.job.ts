import { dueItemsJob } from '../../platform/jobs/due-items-job.ts'
import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteIntention, listIntentions } from './room-store.ts'
import { abandonedBefore } from './room.ts'

const KIND = 'undo-abandoned-rooms'
const EVERY_SEC = 30

/** Undoes rooms whose process died between the intention and the provider's answer. */
export function undoAbandonedRoomsJob({
  db,
  media,
  clock,
}: Pick<Deps, 'db' | 'media' | 'clock'>): RepeatingJob {
  return dueItemsJob({
    kind: KIND,
    everySec: EVERY_SEC,
    db,
    clock,
    list: (limit) =>
      listIntentions(db, { retriedBy: KIND, before: abandonedBefore(clock()), limit }),
    keyOf: (roomId) => roomId,
    async carryOut(roomId) {
      await media.deleteRoom(roomId)
      await deleteIntention(db, roomId)
    },
  })
}
