import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../lib/service-error.ts'
import { createServiceKeys, SERVICE_KEY_ALG } from '../service-keys/service-keys.ts'

/** Who holds a room ticket. */
export interface TicketHolder {
  tenantId: string
  roomId: string
  /** The entry that the ticket came of; renewed tickets keep it. */
  admissionId: string
  /** Null on the simple route. */
  participantId: string | null
  mediaIdentity: string
  role: Role
  displayName: string
}

export interface Tickets {
  issue(holder: TicketHolder): Promise<{ ticket: string; expiresAt: Date }>
  /** Throws 401 UNAUTHORIZED unless the header carries a living ticket of this room. */
  verify(authorization: string | undefined, roomId: string): Promise<TicketHolder>
}

const TYPE = 'room-ticket+jwt'

/** Room tickets: short JWTs by the service's own key, so that every replica can read them. */
export function createTickets(deps: Pick<Deps, 'db' | 'secretBox' | 'clock' | 'config'>): Tickets {
  const { clock, config } = deps
  const keys = createServiceKeys(deps)

  return {
    async issue(holder) {
      const { kid, key } = await keys.signing()
      const nowSec = Math.floor(clock().getTime() / 1000)
      const expiresSec = nowSec + ROOM_TICKET_LIFE_SEC
      const ticket = await new SignJWT({
        tenant: holder.tenantId,
        room_id: holder.roomId,
        admission: holder.admissionId,
        participant_id: holder.participantId,
        role: holder.role,
        name: holder.displayName,
      })
        .setProtectedHeader({ alg: SERVICE_KEY_ALG, typ: TYPE, kid })
        .setIssuer(config.publicUrl)
        .setAudience(config.publicUrl)
        .setSubject(holder.mediaIdentity)
        .setIssuedAt(nowSec)
        .setExpirationTime(expiresSec)
        .sign(key)
      return { ticket, expiresAt: new Date(expiresSec * 1000) }
    },

    async verify(authorization, roomId) {
      const ticket = bearerOf(authorization)
      const key = await keys.verifying(kidOf(ticket))
      if (key === undefined) throw unauthorized()
      const { payload } = await jwtVerify(ticket, key, {
        algorithms: [SERVICE_KEY_ALG],
        typ: TYPE,
        issuer: config.publicUrl,
        audience: config.publicUrl,
        requiredClaims: ['sub', 'exp'],
        currentDate: clock(),
      }).catch((cause: unknown) => {
        throw new ServiceError('UNAUTHORIZED', { cause })
      })
      const role = ROLES.find((word) => word === payload['role'])
      if (payload['room_id'] !== roomId || role === undefined) throw unauthorized()
      return {
        tenantId: String(payload['tenant']),
        roomId,
        admissionId: String(payload['admission']),
        participantId: (payload['participant_id'] as string | null) ?? null,
        mediaIdentity: payload.sub ?? '',
        role,
        displayName: String(payload['name']),
      }
    },
  }
}

/** Whether the header carries a ticket by its own account; whether it is one, `verify` says. */
export function isTicket(authorization: string | undefined): boolean {
  const presented = bearerOf(authorization)
  try {
    return decodeProtectedHeader(presented).typ === TYPE
  } catch {
    return false
  }
}

/** The credential of an `Authorization: Bearer` header. Throws 401 UNAUTHORIZED without one. */
export function bearerOf(authorization: string | undefined): string {
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')
  if (match?.[1] === undefined) throw unauthorized()
  return match[1]
}

function kidOf(ticket: string): string {
  try {
    return decodeProtectedHeader(ticket).kid ?? ''
  } catch (cause) {
    throw new ServiceError('UNAUTHORIZED', { cause })
  }
}

function unauthorized(): ServiceError {
  return new ServiceError('UNAUTHORIZED', { headers: { 'www-authenticate': 'Bearer' } })
}
