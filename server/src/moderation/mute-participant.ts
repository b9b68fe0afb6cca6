import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import type { TicketHolder } from '../live/ticket.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { MediaError } from '../media/media.ts'
import { findInRoom } from '../participants/find-in-room.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'

interface Mute {
  moderator: TicketHolder
  participantId: string
}

/**
 * Asks the participant's page to mute the microphone. Throws 404 NOT_FOUND, 422 NOT_ALLOWED for
 * whoever has none.
 */
export async function askToMute(tx: Tx, { moderator, participantId }: Mute): Promise<void> {
  const { tenantId, roomId } = moderator
  const participant = await findInRoom(tx, { roomId, participantId })
  if (participant === undefined) throw new ServiceError('NOT_FOUND')
  if (!CAPABILITIES[participant.role].canPublishMicrophone) throw noMicrophone()
  await appendRoomEvent(tx, {
    tenantId,
    roomId,
    eventType: 'participant.muted',
    payload: { participant_id: participantId, by: moderator.participantId },
  })
  await tellRoom(tx, roomId, { name: 'mute_requested', participantId })
}

/** Silent for everybody at once, whatever the page does; the page has been asked in any case. */
export async function silence(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  { moderator, participantId }: Mute,
): Promise<void> {
  try {
    await media.muteMicrophone(moderator.roomId, participantId)
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
