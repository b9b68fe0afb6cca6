import type { FeedOnlyData } from '@interview-room/contract/retention.ts'
import { carryOutRetentionJob } from '../domain/data-protection/carry-out-retention.job.ts'
import { giveRetentionNoticesJob } from '../domain/data-protection/give-retention-notices.job.ts'
import { type ControlPlane } from './control-plane.ts'
import { jobRun } from './recordings.ts'
import type { TenantClient } from './tenant-client.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type NoticeEvent = FeedOnlyData['retention.notice'] & { id: string }

export interface RetainedRooms {
  /** Sets the tenant's rules. Rules that are not given are removed. */
  rule(rules: object, client?: TenantClient): Promise<void>
  /** Books a room of an hour and adds data to it. Afterwards the clock is at the room's end. */
  end(put: (room: BookedRoom) => Promise<unknown>): Promise<EndedRoom>
  /** Moves the clock to this many days after a moment, and some milliseconds. */
  moveTo(moment: Date, days: number, ms?: number): void
  giveNotices(): Promise<void>
  /** True when the next run follows immediately. */
  carryOut(): Promise<boolean>
  /** Notices of a room in the feed, oldest first. */
  noticesOf(roomId: string, client?: TenantClient): Promise<NoticeEvent[]>
}

interface BookedRoom {
  roomId: string
  sessionId: string
}

export interface EndedRoom extends BookedRoom {
  endsAt: Date
}

/** Rooms under the retention rules of the plane's tenant. */
export function createRetainedRooms(plane: ControlPlane): RetainedRooms {
  return {
    async rule(rules, client = plane.tenant) {
      const none = { recordings_days: null, chat_days: null, handouts_days: null }
      const answer = await client.patch('/retention', { ...none, ...rules })
      if (answer.status !== 200) throw new Error(answer.text)
    },
    async end(put) {
      const { id: roomId, session } = await plane.book()
      await put({ roomId, sessionId: session.id })
      const endsAt = new Date(session.ends_at)
      plane.now = endsAt
      return { roomId, sessionId: session.id, endsAt }
    },
    moveTo(moment, days, ms = 0) {
      plane.now = new Date(moment.getTime() + days * DAY_MS + ms)
    },
    async giveNotices() {
      await giveRetentionNoticesJob(plane.deps).run(jobRun(plane))
    },
    async carryOut() {
      const ended = await carryOutRetentionJob(plane.deps).run(jobRun(plane))
      return ended.outcome === 'again' && ended.at.getTime() === plane.now.getTime()
    },
    async noticesOf(roomId, client = plane.tenant) {
      const found: NoticeEvent[] = []
      let cursor: string | null = null
      do {
        const query = `type=retention.notice&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
        const { data }: Awaited<ReturnType<TenantClient['get']>> = await client.get(
          `/events?${query}`,
        )
        for (const { id, data: notice } of data.items) found.push({ ...notice, id })
        cursor = data.next_cursor
      } while (cursor !== null)
      return found.filter(({ room_id: id }) => id === roomId)
    },
  }
}
