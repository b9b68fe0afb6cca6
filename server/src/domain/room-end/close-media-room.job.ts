import { inTransaction } from '../../platform/db/db.ts'
import type { Job } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { CLOSE_MEDIA_ROOM } from '../booking/media-room.ts'
import { isOpen } from '../booking/read-bookings.ts'
import { closeOpenEntries } from '../people/close-entries.ts'

/** Pause after the first, second, ... failure. The last value holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

/**
 * Removes everybody from the media room of a closed room or an undone booking. It is retried until the provider confirms.
 */
export function closeMediaRoomJob({ db, media, clock }: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: CLOSE_MEDIA_ROOM,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: roomId }) {
      if (await isOpen(db, roomId)) return { outcome: 'done' }
      await media.deleteRoom(roomId)
      // Everybody is out now, even if the provider never reports it.
      await inTransaction(db, (tx) => closeOpenEntries(tx, { roomId, at: clock() }))
      return { outcome: 'done' }
    },
  }
}
