import type { Job } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { END_WINDOW } from '../booking/end-window-request.ts'
import { endOfNotice, endWindow, giveNotice, isOverdue } from './end-window.ts'
import { findWatchedRoom } from './store.ts'

/**
 * Announces the end of the window to a room and removes its participants a minute later. Every entry enqueues this job. The
 * reconciler does the same a few seconds later if the job is missing.
 */
export function endWindowJob(deps: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  const { db, media, clock } = deps
  return {
    kind: END_WINDOW,
    async run({ key: roomId }) {
      const room = await findWatchedRoom(db, roomId)
      if (room === undefined || room.isReleased || room.closesAt === null)
        return { outcome: 'done' }
      const now = clock()
      if (now < room.closesAt) return { outcome: 'again', at: room.closesAt }
      if (!isOverdue(room, now)) {
        await giveNotice(deps, room)
        return { outcome: 'again', at: endOfNotice(room.closesAt) }
      }
      const connections = (await media.listConnections(roomId)) ?? []
      await endWindow(
        deps,
        room,
        connections.filter(({ isPerson }) => isPerson),
      )
      return { outcome: 'done' }
    },
  }
}
