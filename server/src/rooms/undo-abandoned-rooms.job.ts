import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteIntention, listIntentions } from './store.ts'

const KIND = 'undo-abandoned-rooms'
const EVERY_SEC = 30
/** Longer than any booking takes, its waiting included. */
const ABANDONED_AFTER_SEC = 60
const BATCH = 100

/** Asked for once at every start; the job then repeats itself. */
export const undoAbandonedRoomsRequest: JobRequest = { kind: KIND, key: 'all' }

/** Removes rooms whose creator died between the intention and the provider's answer. */
export function undoAbandonedRoomsJob({
  db,
  media,
  clock,
}: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    async run({ signal }) {
      const before = new Date(clock().getTime() - ABANDONED_AFTER_SEC * 1000)
      for (const roomId of await listIntentions(db, before, BATCH)) {
        if (signal.aborted) break
        await media.deleteRoom(roomId)
        await deleteIntention(db, roomId)
      }
      return { outcome: 'again', at: new Date(clock().getTime() + EVERY_SEC * 1000) }
    },
  }
}
