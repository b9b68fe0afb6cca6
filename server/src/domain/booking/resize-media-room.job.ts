import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { mediaRoomSpec } from './media-room.ts'
import { findOpenSlot, hasVisitors } from './room-store.ts'

// The stored name of the job. Changing it would strand waiting jobs.
const KIND = 'follow-slot'

export function resizeMediaRoomRequest(roomId: string): JobRequest {
  return { kind: KIND, key: roomId }
}

/**
 * Gives the media room a lifetime that fits its moved slot. The provider keeps the timeouts that a
 * media room was created with, so one that is too short is created again, unless somebody was admitted: they may be
 * about to connect. If it still ends early, the next admission creates a new one.
 */
export function resizeMediaRoomJob({
  db,
  media,
  clock,
}: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    async run({ key: roomId }) {
      const room = await findOpenSlot(db, roomId)
      if (room === undefined) return { outcome: 'done' }
      const spec = mediaRoomSpec(room, clock())
      const { emptyTimeoutSec } = await media.ensureRoom(spec)
      const isLongEnough = emptyTimeoutSec >= spec.emptyTimeoutSec
      // Asked last: a worker may have stood still for a while.
      if (isLongEnough || (await hasVisitors(db, roomId))) return { outcome: 'done' }
      await media.deleteRoom(roomId)
      await media.ensureRoom(spec)
      return { outcome: 'done' }
    },
  }
}
