import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  bearerOf,
  createSignedTokens,
  isOfType,
  unauthorized,
} from '../../platform/service-keys/signed-tokens.ts'

/** The holder of a room ticket. */
export interface TicketHolder {
  tenantId: string
  roomId: string
  /** The admission that the ticket was issued for. Renewed tickets keep it. */
  admissionId: string
  /** Null on the simple route. */
  participantId: string | null
  mediaIdentity: string
  role: Role
  displayName: string
}

export interface Tickets {
  issue(holder: TicketHolder): Promise<{ ticket: string; expiresAt: Date }>
  /** Throws 401 UNAUTHORIZED unless the header carries a valid ticket of this room. */
  verify(authorization: string | undefined, roomId: string): Promise<TicketHolder>
}

const TYPE = 'room-ticket+jwt'

/** Room tickets: the credential of every request after admission. */
export function createTickets(deps: Pick<Deps, 'serviceKeys' | 'clock' | 'config'>): Tickets {
  const tokens = createSignedTokens(deps, TYPE)

  return {
    async issue(holder) {
      const claims = {
        tenant: holder.tenantId,
        room_id: holder.roomId,
        admission: holder.admissionId,
        participant_id: holder.participantId,
        role: holder.role,
        name: holder.displayName,
      }
      const { token, expiresAt } = await tokens.sign(claims, {
        subject: holder.mediaIdentity,
        lifeSec: ROOM_TICKET_LIFE_SEC,
      })
      return { ticket: token, expiresAt }
    },

    async verify(authorization, roomId) {
      const payload = await tokens.verify(bearerOf(authorization))
      const role = ROLES.find((word) => word === payload['role'])
      if (payload['room_id'] !== roomId) throw unauthorized('the ticket is of another room')
      if (role === undefined) throw unauthorized('the ticket has no role')
      return {
        tenantId: String(payload['tenant']),
        roomId,
        admissionId: String(payload['admission']),
        participantId: (payload['participant_id'] as string | null) ?? null,
        mediaIdentity: payload.sub,
        role,
        displayName: String(payload['name']),
      }
    },
  }
}

/** True if the header claims to carry a ticket. Only `verify` checks it. */
export function isTicket(authorization: string | undefined): boolean {
  return isOfType(bearerOf(authorization), TYPE)
}
