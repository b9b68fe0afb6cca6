import type { Capabilities } from '@interview-room/contract/capabilities.ts'
import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockRoom } from '../booking/lock-room.ts'
import type { LockedRoomKey } from '../room-log/room-lock.ts'
import { checkStillAdmitted, shareRoomAsParticipant } from './admit.ts'
import { ticketOf, type VerifiedRequest } from './credential.ts'
import type { AdmissionRoom } from './participant.ts'
import type { TicketHolder } from './ticket.ts'

/** A permission of a role. */
type Ability = keyof Capabilities

/** A ticket holder who may be in the room, with the room as admission saw it. */
export interface PresentParticipant extends TicketHolder {
  room: AdmissionRoom
}

/** The ticket holder, if the role has this ability. Throws the refusals of admission, 422 NOT_ALLOWED. */
export async function requireHolder(
  deps: Pick<Deps, 'db' | 'clock'>,
  request: VerifiedRequest,
  ability?: Ability,
): Promise<PresentParticipant> {
  const holder = ticketOf(request)
  const room = await checkStillAdmitted(deps, holder)
  if (ability !== undefined && !CAPABILITIES[holder.role][ability]) {
    throw refuseRole('role', (role) => CAPABILITIES[role][ability])
  }
  return { ...holder, room }
}

/** The 422 for an operation that the caller's role may not use. Names the permitted roles. */
export function refuseRole(field: string, isAllowed: (role: Role) => boolean): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field,
    code: 'NOT_ALLOWED',
    message: `is allowed only for: ${ROLES.filter(isAllowed).join(', ')}`,
  })
}

/**
 * Locks the room for a change by a participant and checks admission again: a person who was removed while waiting changes
 * nothing.
 */
export async function lockRoomAsParticipant(
  tx: Tx,
  clock: Clock,
  holder: TicketHolder,
): Promise<LockedRoomKey> {
  await lockRoom(tx, holder)
  return shareRoomAsParticipant({ db: tx, clock }, holder)
}
