import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { abandonedBefore } from './room.ts'
import { deleteIntention, listIntentions } from './store.ts'

const EVERY_SEC = 30
const BATCH = 100

/** Removes rooms whose creator died between the intention and the provider's answer. */
export function undoAbandonedRoomsJob({
  db,
  media,
  clock,
}: Pick<Deps, 'db' | 'media' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'undo-abandoned-rooms',
    everySec: EVERY_SEC,
    clock,
    async run({ signal }) {
      for (const roomId of await listIntentions(db, abandonedBefore(clock()), BATCH)) {
        if (signal.aborted) break
        await media.deleteRoom(roomId)
        await deleteIntention(db, roomId)
      }
      return 'done'
    },
  })
}
