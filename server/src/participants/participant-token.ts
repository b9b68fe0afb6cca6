import { createHash } from 'node:crypto'
import {
  EXTERNAL_REF_MAX,
  PARTICIPANT_TOKEN_MAX_CHARS,
  PARTICIPANT_TOKEN_MAX_LIFE_SEC,
} from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { compactVerify, importJWK } from 'jose'
import type { JsonValue } from '../http/strict-json.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { TokenKey } from '../tenants/token-key.ts'
import { readCompactToken } from './compact-token.ts'
import { countOf, displayNameOf } from './display-name.ts'

/** Who the tenant says this person is; exactly one of the three. */
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

export interface TokenVerification {
  token: string
  /** The room being entered. */
  roomId: string
  audience: string
  leewaySec: number
  now: Date
  findKey: (key: { tenantId: string; kid: string }) => Promise<TokenKey | undefined>
}

type Claims = Record<string, JsonValue>

const TYPES = new Set<JsonValue | undefined>(['room-entry+jwt', 'JWT'])
const HEADER_MEMBERS = new Set(['alg', 'kid', 'typ', 'cty'])
const JTI_MAX = 255
const PLATFORM_USER_MAX = 255

/**
 * Verifies a participant token (decided claims and algorithms: see the open points). Throws one and
 * the same 401 UNAUTHORIZED whatever is wrong, and 400 UNKNOWN_ROLE for a sound token whose role is
 * none of ours.
 */
export async function verifyParticipantToken(
  verification: TokenVerification,
): Promise<ParticipantClaims> {
  const { token, roomId } = verification
  const read = token.length <= PARTICIPANT_TOKEN_MAX_CHARS ? readCompactToken(token) : undefined
  if (read === undefined) throw unauthorized()

  const key = await findSoundKey(read.header, read.payload, verification)
  if (key === undefined || !(await isSignedBy(token, key))) throw unauthorized()

  const claims = read.payload
  const isSound =
    claims['room_id'] === roomId &&
    isMeantFor(claims['aud'], verification.audience) &&
    isInTime(claims, verification)
  const displayName = displayNameOf(claims['name'])
  const jti = optionalText(claims['jti'], JTI_MAX)
  const identity = identityOf(claims, { token, jti })
  if (!isSound || displayName === undefined || jti === undefined || identity === undefined) {
    throw unauthorized()
  }

  const role = roleOf(claims['role'])
  if (!key.allowedRoles.includes(role)) throw unauthorized()
  if (claims['platform_user'] !== undefined && role !== 'platform_observer') throw unauthorized()
  return { tenantId: key.tenantId, roomId, identity, role, displayName, jti }
}

function unauthorized(): ServiceError {
  return new ServiceError('UNAUTHORIZED', { headers: { 'www-authenticate': 'Bearer' } })
}

async function findSoundKey(
  header: Claims,
  { iss }: Claims,
  { findKey, now }: TokenVerification,
): Promise<TokenKey | undefined> {
  const { alg, kid, typ } = header
  // Every other member is either dangerous (jku, x5u, jwk, crit) or of no use here.
  const isPlain = Object.keys(header).every((name) => HEADER_MEMBERS.has(name)) && TYPES.has(typ)
  if (!isPlain || typeof iss !== 'string' || typeof kid !== 'string') return undefined

  const key = await findKey({ tenantId: iss, kid })
  const isUsable =
    key?.status === 'active' &&
    key.alg === alg &&
    (key.notBefore === null || key.notBefore <= now) &&
    (key.notAfter === null || now <= key.notAfter)
  return isUsable ? key : undefined
}

async function isSignedBy(token: string, { alg, publicJwk }: TokenKey): Promise<boolean> {
  try {
    await compactVerify(token, await importJWK(publicJwk, alg), { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}

function isMeantFor(aud: JsonValue | undefined, audience: string): boolean {
  if (!Array.isArray(aud)) return aud === audience
  return aud.every((each) => typeof each === 'string') && aud.includes(audience)
}

function isInTime(claims: Claims, { now, leewaySec }: TokenVerification): boolean {
  const nowSec = now.getTime() / 1000
  const { iat, exp, nbf } = claims
  if (!isTime(iat) || !isTime(exp) || !(nbf === undefined || isTime(nbf))) return false
  return (
    iat < exp &&
    exp - iat <= PARTICIPANT_TOKEN_MAX_LIFE_SEC &&
    iat <= nowSec + leewaySec &&
    exp > nowSec - leewaySec &&
    (nbf === undefined || nbf <= nowSec + leewaySec)
  )
}

function isTime(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Null when the claim is absent, undefined when it is not what it must be. */
function optionalText(value: JsonValue | undefined, max: number): string | null | undefined {
  if (value === undefined) return null
  return isText(value, max) ? value : undefined
}

function isText(value: JsonValue | undefined, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && countOf(value) <= max
}

function identityOf(
  claims: Claims,
  { token, jti }: { token: string; jti: string | null | undefined },
): ParticipantIdentity | undefined {
  const { participant, platform_user: platformUser } = claims
  if (platformUser !== undefined) {
    const isAlone = participant === undefined && isText(platformUser, PLATFORM_USER_MAX)
    return isAlone ? { kind: 'operator', platformUser } : undefined
  }
  if (participant === undefined) {
    // One Participant per jti, or per token when there is none.
    const source = jti ?? token
    const prefix = jti === null ? 'token' : 'jti'
    const digest = createHash('sha256').update(source).digest('base64url')
    return { kind: 'anonymous', anonymousKey: `${prefix}:${digest}` }
  }
  return externalIdentityOf(participant)
}

function externalIdentityOf(participant: JsonValue): ParticipantIdentity | undefined {
  if (typeof participant !== 'object' || participant === null || Array.isArray(participant)) {
    return undefined
  }
  const { external_type: externalType, external_id: externalId, ...others } = participant
  const isPair = isText(externalType, EXTERNAL_REF_MAX) && isText(externalId, EXTERNAL_REF_MAX)
  if (!isPair || Object.keys(others).length > 0) return undefined
  return { kind: 'external', externalType, externalId }
}

function roleOf(value: JsonValue | undefined): Role {
  const role = ROLES.find((word) => word === value)
  if (role !== undefined) return role
  // An absent role is a missing claim; any other word is a role that nobody here knows.
  throw value === undefined ? unauthorized() : new ServiceError('UNKNOWN_ROLE')
}
