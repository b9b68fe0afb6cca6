import type { Tx } from '../../platform/db/db.ts'
import { appendRoomEventOnce } from '../room-log/append-room-event.ts'
import { hasRoomEvent } from '../room-log/read-logs.ts'
import { nextRoomMoment } from '../room-log/room-clock.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'

/** For a tenant that has the consent of its panelists from elsewhere: logs that in the room, once. */
export async function noteObtainedConsent(tx: Tx, locked: LockedRoomKey): Promise<void> {
  const eventType = 'consent.obtained'
  const event = { ...locked, eventType, payload: { purpose: 'recording', by: 'tenant' } }
  if (await hasRoomEvent(tx, event)) return
  // Those who enter share the room: behind its clock, nobody else notes it at the same time.
  await nextRoomMoment(tx, locked)
  await appendRoomEventOnce(tx, event)
}
