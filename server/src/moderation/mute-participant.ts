import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import type { TicketHolder } from '../live/ticket.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { MediaError } from '../media/media.ts'
import { findPerson } from '../participants/find-person.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'

interface Mute {
  moderator: TicketHolder
  /** By which the roster names the person: the participant's id, or a visitor's own. */
  identity: string
}

/**
 * Asks the person's page to mute the microphone. Throws 404 NOT_FOUND, 422 NOT_ALLOWED for
 * whoever has none.
 */
export async function askToMute(tx: Tx, { moderator, identity }: Mute): Promise<void> {
  const { tenantId, roomId } = moderator
  const person = await findPerson(tx, { roomId, identity })
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  if (!CAPABILITIES[person.role].canPublishMicrophone) throw noMicrophone()
  const { participantId } = person
  await appendRoomEvent(tx, {
    tenantId,
    roomId,
    eventType: 'participant.muted',
    payload: {
      participant_id: participantId,
      ...(participantId === null && { identity, display_name: person.displayName }),
      by: moderator.participantId,
    },
  })
  const whose = participantId === null ? { admissionId: identity } : { participantId }
  await tellRoom(tx, roomId, { name: 'mute_requested', ...whose })
}

/** Silent for everybody at once, whatever the page does; the page has been asked in any case. */
export async function silence(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  { moderator, identity }: Mute,
): Promise<void> {
  try {
    await media.muteMicrophone(moderator.roomId, identity)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: moderator.roomId }, 'microphone not muted at the provider')
  }
}

function noMicrophone(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'participant_id',
    code: 'NOT_ALLOWED',
    message: 'has no microphone in this room',
  })
}
