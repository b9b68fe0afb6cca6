import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteIntention, listIntentions } from './room-store.ts'
import { abandonedBefore } from './room.ts'

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
