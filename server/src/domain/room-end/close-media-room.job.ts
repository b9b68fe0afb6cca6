import { inTransaction } from '../../platform/db/db.ts'
import type { Job } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { CLOSE_MEDIA_ROOM } from '../booking/media-room.ts'
import { isOpen } from '../booking/read-bookings.ts'
import { closeOpenEntries } from '../people/close-entries.ts'

/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

/** Puts everybody out of a closed (or undone) room, again and again until the provider agrees. */
export function closeMediaRoomJob({ db, media, clock }: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: CLOSE_MEDIA_ROOM,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: roomId }) {
      if (await isOpen(db, roomId)) return { outcome: 'done' }
      await media.deleteRoom(roomId)
      // Anybody who was still inside is out now, whether or not the provider reports it.
      await inTransaction(db, (tx) => closeOpenEntries(tx, { roomId, at: clock() }))
      return { outcome: 'done' }
    },
  }
}
