import type { Deps } from '../deps.ts'
import { type RepeatingJob, repeatingJob } from '../jobs/repeating-job.ts'
import { deleteIntention, listIntentions } from './store.ts'

const EVERY_SEC = 30
/** Longer than any booking takes, its waiting included. */
const ABANDONED_AFTER_SEC = 60
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
      const before = new Date(clock().getTime() - ABANDONED_AFTER_SEC * 1000)
      for (const roomId of await listIntentions(db, before, BATCH)) {
        if (signal.aborted) break
        await media.deleteRoom(roomId)
        await deleteIntention(db, roomId)
      }
      return 'done'
    },
  })
}
