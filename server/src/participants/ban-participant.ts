import type { Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Clock } from '../lib/clock.ts'
import { cleanFreeText } from '../lib/free-text.ts'
import { ServiceError } from '../lib/service-error.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { MediaError } from '../media/media.ts'
import { appendRoomEvent } from '../room-events/append-room-event.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'
import { findParticipant, markBanned } from './store.ts'

export interface Ban {
  tenantId: string
  roomId: string
  participantId: string
  /** Kept in the log of the room, cleaned. */
  reason: string
}

/**
 * Bans the participant from the room for good: no entry from now on, whatever the tenant signs. A
 * repeat changes nothing, and the first reason stays. Throws 404 NOT_FOUND.
 */
export async function banParticipant(tx: Tx, ban: Ban, clock: Clock): Promise<void> {
  const { roomId, participantId, reason } = ban
  // The time of the ban is read when nobody is on the way in any more.
  const held = await holdRoom(tx, ban)
  const participant = await findParticipant(tx, participantId)
  if (participant?.roomId !== roomId) throw new ServiceError('NOT_FOUND')
  if (!(await markBanned(tx, { roomId, participantId, at: clock() }))) return
  await enqueue(tx, removeParticipantRequest({ roomId, mediaIdentity: participantId }))
  await appendRoomEvent(tx, {
    ...held,
    eventType: 'participant.banned',
    payload: { participant_id: participantId, reason: cleanFreeText(reason) },
  })
  await tellRoom(tx, held, { name: 'removed', participantId, payload: { reason: 'banned' } })
}

/** At once after the commit, so that nobody stays for the job's turn; the job repeats what fails. */
export async function putOut(
  { media, log }: Pick<Deps, 'media' | 'log'>,
  { roomId, participantId }: Pick<Ban, 'roomId' | 'participantId'>,
): Promise<void> {
  try {
    // The provider knows a person by the participant; a visitor's handle stands in its place.
    await media.removeConnection(roomId, participantId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'banned participant not removed yet')
  }
}
