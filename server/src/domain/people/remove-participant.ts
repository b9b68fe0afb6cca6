import type { Tx } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { endAdmission } from './admission-store.ts'
import { findPerson } from './find-person.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'
import type { TicketHolder } from './ticket.ts'

interface RemovalRequest {
  /** The identity in the roster: the participant's id, or a visitor's own. */
  identity: string
  by: TicketHolder
  now: Date
}

/**
 * Ends a person's present admission, whatever its role. The same link lets them in again. Returns the media identity to
 * disconnect, or undefined when the person has no admission any more. Throws 404 NOT_FOUND.
 */
export async function removeParticipant(
  tx: Tx,
  locked: LockedRoomKey,
  { identity, by, now }: RemovalRequest,
): Promise<string | undefined> {
  const { roomId } = locked
  const person = await findPerson(tx, { roomId, identity })
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  // With the lock of the room, nobody enters in between.
  if (person.admissionId === null) return undefined
  const ended = await endAdmission(tx, { roomId, admissionId: person.admissionId, at: now })
  if (ended === undefined) return undefined
  const { admissionId, mediaIdentity } = ended
  await enqueue(tx, removeParticipantRequest({ roomId, mediaIdentity }))
  const { participantId, displayName } = person
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'participant.removed',
    payload: {
      participant_id: participantId,
      identity,
      display_name: displayName,
      by: by.participantId,
    },
  })
  const payload = { reason: 'removed' }
  await publishLiveEvent(tx, locked, { name: 'removed', admissionId, payload })
  return mediaIdentity
}
