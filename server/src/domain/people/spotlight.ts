import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Tx } from '../../platform/db/db.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { findPerson } from './find-person.ts'
import { findSpotlightIdentity } from './present-store.ts'
import type { TicketHolder } from './ticket.ts'

/**
 * Puts a person into the spotlight, in place of anybody before. A repeat changes nothing. Throws 404 NOT_FOUND, 422
 * NOT_ALLOWED for a person who is not visible.
 */
export async function startSpotlight(
  tx: Tx,
  locked: LockedRoomKey,
  { identity, by }: { identity: string; by: TicketHolder },
): Promise<void> {
  const person = await findPerson(tx, { roomId: locked.roomId, identity })
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  if (!CAPABILITIES[person.role].isVisible) throw refuseUnseen()
  if ((await findSpotlightIdentity(tx, locked.roomId)) === identity) return
  const { participantId, displayName } = person
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'spotlight.started',
    payload: {
      participant_id: participantId,
      identity,
      display_name: displayName,
      by: by.participantId,
    },
  })
  await publishLiveEvent(tx, locked, { name: 'spotlight', payload: { identity } })
}

/** Ends the spotlight. A repeat changes nothing. */
export async function endSpotlight(tx: Tx, locked: LockedRoomKey, by: TicketHolder): Promise<void> {
  if ((await findSpotlightIdentity(tx, locked.roomId)) === null) return
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'spotlight.ended',
    payload: { by: by.participantId },
  })
  await publishLiveEvent(tx, locked, { name: 'spotlight', payload: { identity: null } })
}

function refuseUnseen(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'participant_id',
    code: 'NOT_ALLOWED',
    message: 'is not seen by others in this room',
  })
}
