import type { RoomOverviewBody } from '@interview-room/contract/rooms.ts'
import type { Config } from '../../platform/config/config.ts'
import { connectUrl } from '../booking/present-room.ts'
import { roomStatusOf } from '../booking/room.ts'
import { statusOf } from '../booking/session.ts'
import type { RoomOverviewRow } from './room-overview-store.ts'

export { listRoomsOfPeriod as listRooms } from './room-overview-store.ts'

/** Position of a room in the list by start. */
export function placeOfRoom({ startsAt, id }: RoomOverviewRow): string {
  return `${startsAt.toISOString()} ${id}`
}

export function presentRoomOverview(
  row: RoomOverviewRow,
  { config, now }: { config: Pick<Config, 'publicUrl'>; now: Date },
): RoomOverviewBody {
  return {
    id: row.id,
    status: roomStatusOf(row),
    archive_mode: row.archiveMode,
    session: {
      id: row.sessionId,
      name: row.sessionName,
      external_type: row.externalType,
      external_id: row.externalId,
      starts_at: row.startsAt.toISOString(),
      ends_at: row.endsAt.toISOString(),
      status: statusOf({ ...row, roomClosedAt: row.closedAt }, now),
    },
    connect_url: connectUrl(config, row.id),
    people_present: row.peoplePresent,
    entries: row.entries,
    recording_status: row.recordingStatus,
    created_at: row.createdAt.toISOString(),
  }
}
