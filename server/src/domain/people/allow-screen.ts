import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { findPerson } from './find-person.ts'
import { listScreenSharers } from './present-store.ts'
import type { TicketHolder } from './ticket.ts'
import { UPDATE_MEDIA_RIGHTS } from './update-media-rights.ts'

/**
 * Allows a panelist to share the screen, or withdraws that. A repeat changes nothing. A job updates the permissions at the
 * provider. Throws 404 NOT_FOUND, 422 NOT_ALLOWED for roles whose permission is fixed by the table of roles, and for guests.
 */
export async function allowScreen(
  tx: Tx,
  locked: LockedRoomKey,
  { identity, isAllowed, by }: { identity: string; isAllowed: boolean; by: TicketHolder },
): Promise<void> {
  const { roomId } = locked
  const person = await findPerson(tx, { roomId, identity })
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  if (person.role !== 'panelist' || person.isGuest) throw refuseOtherRole()
  const isAllowedNow = (await listScreenSharers(tx, roomId)).has(identity)
  if (isAllowedNow === isAllowed) return
  const { participantId, displayName } = person
  await appendRoomEvent(tx, {
    ...locked,
    eventType: isAllowed ? 'screen.allowed' : 'screen.withdrawn',
    payload: {
      participant_id: participantId,
      identity,
      display_name: displayName,
      by: by.participantId,
    },
  })
  await enqueue(tx, { kind: UPDATE_MEDIA_RIGHTS, key: roomId })
  await publishLiveEvent(tx, locked, { name: 'roster' })
}

function refuseOtherRole(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'participant_id',
    code: 'NOT_ALLOWED',
    message: 'is no panelist in this room',
  })
}
