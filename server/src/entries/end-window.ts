import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { hideForClose, isAnythingShown } from '../handouts/present-in-room.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import type { MediaConnection } from '../media/media.ts'
import { followRecordingRequest } from '../recordings/follow-recording-request.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import type { WatchedRoom } from './store.ts'

const EVENT = 'session.window_ended'

/**
 * The window is over: nothing is shown any more, and those inside are put out, once noted in the
 * room's log. The room stays open.
 */
export async function endWindow(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  room: Pick<WatchedRoom, 'id' | 'tenantId'>,
  people: readonly MediaConnection[],
): Promise<void> {
  if (people.length === 0 && !(await isAnythingShown(db, room.id))) return
  const { tenantId, id: roomId } = room
  await inTransaction(db, async (tx) => {
    await tx`select 1 from rooms where id = ${room.id} for update`
    await hideForClose(tx, { tenantId, roomId })
    await enqueue(tx, followRecordingRequest(roomId))
    if (people.length === 0) return
    const noted = await tx`
      select 1 from room_events where room_id = ${room.id} and event_type = ${EVENT}
    `
    if (noted.length > 0) return
    await appendRoomEvent(tx, { tenantId, roomId, eventType: EVENT, payload: null })
    await tellRoom(tx, roomId, { name: 'closed', payload: { reason: 'window_ended' } })
  })
  for (const { identity } of people) await media.removeConnection(room.id, identity)
}
