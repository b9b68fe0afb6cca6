import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { mediaRoomSpec } from './media-room.ts'
import { findOpenSlot } from './room-store.ts'

const KIND = 'follow-slot'

export function followSlotRequest(roomId: string): JobRequest {
  return { kind: KIND, key: roomId }
}

/**
 * Lets the media room live as long as its moved slot needs. The provider keeps the timeouts that a
 * media room was made with, so one that is too short is made again while it stands empty. Should it
 * end early all the same, the gate makes a new one.
 */
export function followSlotJob({ db, media, clock }: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    async run({ key: roomId }) {
      const room = await findOpenSlot(db, roomId)
      if (room === undefined) return { outcome: 'done' }
      const spec = mediaRoomSpec(room, clock())
      const { emptyTimeoutSec } = await media.ensureRoom(spec)
      if (emptyTimeoutSec >= spec.emptyTimeoutSec) return { outcome: 'done' }
      const connections = await media.listConnections(roomId)
      if (connections !== undefined && connections.length > 0) return { outcome: 'done' }
      await media.deleteRoom(roomId)
      await media.ensureRoom(spec)
      return { outcome: 'done' }
    },
  }
}
