import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { PARTICIPANT_TOKEN_MAX_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { JsonValue } from '../../platform/lib/strict-json.ts'
import { toLowerCaseId } from '../../platform/lib/uuid.ts'
import {
  digestOf,
  isReference,
  isText,
  readTenantToken,
  refuseMisfit,
  type TenantTokenVerification,
  type TokenClaims,
} from './tenant-token.ts'
import { refuseToken } from './token-refusal.ts'

/** The person according to the tenant: exactly one of these three. */
export type ParticipantIdentity =
  | { kind: 'external'; externalType: string; externalId: string }
  | { kind: 'operator'; platformUser: string }
  | { kind: 'anonymous'; anonymousKey: string }

export interface ParticipantClaims {
  tenantId: string
  roomId: string
  identity: ParticipantIdentity
  role: Role
  displayName: string
  jti: string | null
}

export interface TokenVerification extends TenantTokenVerification {
  /** The room being entered. */
  roomId: string
}

const ENTRY = {
  types: ['room-entry+jwt', 'jwt'],
  typeWords: 'typ is neither room-entry+jwt nor JWT',
  lifeMaxSec: PARTICIPANT_TOKEN_MAX_LIFE_SEC,
} as const
const JTI_MAX = 255
const PLATFORM_USER_MAX = 255

/**
 * Verifies a participant token (decided claims and algorithms: see the open points). Throws the same 401 UNAUTHORIZED for
 * every fault, and 400 UNKNOWN_ROLE for a valid token with an unknown role.
 */
export async function verifyParticipantToken(
  verification: TokenVerification,
): Promise<ParticipantClaims> {
  const { token } = verification
  const roomId = toLowerCaseId(verification.roomId)
  const { key, claims } = await readTenantToken(verification, ENTRY)
  if (!isRoom(claims['room_id'], roomId)) throw refuseToken('ROOM_MISMATCH')
  refuseMisfit(claims, verification, ENTRY)
  const displayName = displayNameOf(claims['name'])
  if (displayName === undefined) throw refuseToken('NAME_INVALID')
  const jti = optionalText(claims['jti'], JTI_MAX)
  if (jti === undefined) throw refuseToken('JTI_INVALID')
  const identity = identityOf(claims, { token, jti })
  if (identity === undefined) throw refuseToken('PARTICIPANT_INVALID')

  const role = roleOf(claims['role'])
  if (!key.allowedRoles.includes(role)) throw refuseToken('ROLE_NOT_ALLOWED')
  if (claims['platform_user'] !== undefined && role !== 'platform_observer') {
    throw refuseToken('PLATFORM_USER_NOT_ALLOWED')
  }
  return { tenantId: key.tenantId, roomId, identity, role, displayName, jti }
}

function isRoom(claim: JsonValue | undefined, roomId: string): boolean {
  return typeof claim === 'string' && toLowerCaseId(claim) === roomId
}

/** Returns null when the claim is absent, and undefined when it is invalid. */
function optionalText(value: JsonValue | undefined, max: number): string | null | undefined {
  if (value === undefined) return null
  return isText(value, max) ? value : undefined
}

function identityOf(
  claims: TokenClaims,
  { token, jti }: { token: string; jti: string | null | undefined },
): ParticipantIdentity | undefined {
  const { participant, platform_user: platformUser } = claims
  if (platformUser !== undefined) {
    const isAlone = participant === undefined && isText(platformUser, PLATFORM_USER_MAX)
    return isAlone ? { kind: 'operator', platformUser } : undefined
  }
  if (participant === undefined) {
    // One Participant per jti, or per token without a jti.
    const source = jti ?? token
    const prefix = jti === null ? 'token' : 'jti'
    return { kind: 'anonymous', anonymousKey: `${prefix}:${digestOf(source)}` }
  }
  return externalIdentityOf(participant)
}

function externalIdentityOf(participant: JsonValue): ParticipantIdentity | undefined {
  if (typeof participant !== 'object' || participant === null || Array.isArray(participant)) {
    return undefined
  }
  const { external_type: externalType, external_id: given, ...others } = participant
  const isNumber = typeof given === 'number' && Number.isSafeInteger(given)
  const externalId = isNumber ? String(given) : given
  if (!isReference(externalType) || !isReference(externalId) || Object.keys(others).length > 0)
    return undefined
  return { kind: 'external', externalType, externalId }
}

function roleOf(value: JsonValue | undefined): Role {
  const role = ROLES.find((word) => word === value)
  if (role !== undefined) return role
  // An absent role is a missing claim. Any other value is an unknown role.
  if (value === undefined) throw refuseToken('ROLE_MISSING')
  const message = `must be one of: ${ROLES.join(', ')}`
  throw refuseField('UNKNOWN_ROLE', { field: 'role', code: 'INVALID_ENUM', message })
}
