import type { RatingRequest, RatingBody } from '@interview-room/contract/live-people.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import { cleanFreeText } from '../../platform/lib/free-text.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import { findVisitor } from './admission-store.ts'
import { findParticipant } from './participant-store.ts'
import { findRating } from './present-store.ts'
import { refuseRole } from './require-holder.ts'
import type { TicketHolder } from './ticket.ts'

/** Only panelists are interviewed. */
const mayRate = (role: Role) => role === 'panelist'

/**
 * Stores a panelist's rating of the interview, during or after it. Only the first rating of a person counts. Throws 404
 * NOT_FOUND, 409 PARTICIPANT_BANNED, 422 NOT_ALLOWED for other roles.
 */
export async function rateInterview(
  tx: Tx,
  holder: TicketHolder,
  rating: RatingRequest,
): Promise<{ rating: RatingBody; isNew: boolean }> {
  if (!mayRate(holder.role)) throw refuseRole('role', mayRate)
  const locked = await lockRoom(tx, holder)
  const { participantId, mediaIdentity, displayName } = holder
  const person =
    participantId === null
      ? await findVisitor(tx, { ...holder, identity: mediaIdentity })
      : await findParticipant(tx, participantId)
  // An erased person still has a ticket for a while, but must leave no more traces.
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  if (person.bannedAt !== null) throw new ServiceError('PARTICIPANT_BANNED')
  const first = await findRating(tx, holder)
  if (first !== undefined) return { rating: first, isNew: false }

  const comment = cleanFreeText(rating.comment ?? '').trim()
  const given = { score: rating.score, comment: comment === '' ? null : comment }
  await appendRoomEvent(tx, {
    ...locked,
    eventType: 'interview.rated',
    payload: {
      participant_id: participantId,
      identity: mediaIdentity,
      display_name: displayName,
      ...given,
    },
  })
  return { rating: given, isNew: true }
}
