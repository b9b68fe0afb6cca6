import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { JWTPayload } from 'jose'
import { signTenantToken, type TenantTokenOptions } from './tenant-token.ts'

export interface ParticipantTokenOptions extends TenantTokenOptions {
  roomId: string
  role: Role
  /** Your reference to the person. Without one, every token stands for a new person. */
  participant?: { externalType: string; externalId: string }
  /** Seconds from now, at most 90,000 (25 hours). The default is two hours. */
  expiresInSec?: number
  /** Id of the token. Tokens without `participant` that share it stand for one person. */
  jti?: string
  /** Language of the page, such as `ja`. */
  locale?: string
}

const LIFE_SEC = 7_200
const LIFE_MAX_SEC = 90_000

/**
 * Signs a participant token (docs/participant-tokens.md), which admits one person to one room in one role. Throws
 * RangeError for a name or a life that the service would refuse with a bare 401.
 */
export async function signParticipantToken(options: ParticipantTokenOptions): Promise<string> {
  const { expiresInSec = LIFE_SEC } = options
  return signTenantToken(options, {
    type: 'room-entry+jwt',
    claims: claimsOf(options),
    expiresInSec,
    lifeMaxSec: LIFE_MAX_SEC,
  })
}

function claimsOf({ roomId, role, participant, jti, locale }: ParticipantTokenOptions): JWTPayload {
  return {
    room_id: roomId,
    role,
    ...(participant !== undefined && {
      participant: {
        external_type: participant.externalType,
        external_id: participant.externalId,
      },
    }),
    ...(jti !== undefined && { jti }),
    ...(locale !== undefined && { locale }),
  }
}

/** The link that lets the holder of the token into the room. Give it only to that person. */
export function roomLink(room: { connect_url: string }, token: string): string {
  return `${room.connect_url}#token=${token}`
}
