import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { closeOpenEntries } from '../entries/close-entries.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { isOpen } from './store.ts'

const KIND = 'close-media-room'
/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

export function closeMediaRoomRequest(roomId: string): JobRequest {
  return { kind: KIND, key: roomId, payload: { roomId } }
}

/** Puts everybody out of a closed (or undone) room, again and again until the provider agrees. */
export function closeMediaRoomJob({ db, media, clock }: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: roomId }) {
      if (await isOpen(db, roomId)) return { outcome: 'done' }
      await media.deleteRoom(roomId)
      // Whoever was still inside is out now, whether or not the provider tells.
      await inTransaction(db, (tx) => closeOpenEntries(tx, { roomId, at: clock() }))
      return { outcome: 'done' }
    },
  }
}
