import { createHash } from 'node:crypto'
import {
  EXTERNAL_REF_MAX,
  PARTICIPANT_TOKEN_MAX_CHARS,
  PARTICIPANT_TOKEN_MAX_LIFE_SEC,
} from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { compactVerify, importJWK } from 'jose'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { JsonValue } from '../../platform/lib/strict-json.ts'
import type { TokenKey } from '../../platform/ports/token-key.ts'
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
  if (token.length > PARTICIPANT_TOKEN_MAX_CHARS) {
    throw unauthorized(`the token has more than ${PARTICIPANT_TOKEN_MAX_CHARS} characters`)
  }
  const read = readCompactToken(token)
  if (read === undefined) throw unauthorized('the token is not a JWT in compact form')

  const key = await findAudioKey(read.header, read.payload, verification)
  if (!(await isSignedBy(token, key))) throw unauthorized('the signature is not by this key')

  const claims = read.payload
  if (claims['room_id'] !== roomId) throw unauthorized('room_id is not the room of the address')
  if (!isMeantFor(claims['aud'], verification.audience)) {
    throw unauthorized(`aud is not ${verification.audience}`)
  }
  const misfit = misfitInTime(claims, verification)
  if (misfit !== undefined) throw unauthorized(misfit)
  const displayName = displayNameOf(claims['name'])
  if (displayName === undefined) throw unauthorized('name is missing or not a name')
  const jti = optionalText(claims['jti'], JTI_MAX)
  if (jti === undefined) throw unauthorized(`jti is not a text of 1 to ${JTI_MAX} characters`)
  const identity = identityOf(claims, { token, jti })
  if (identity === undefined)
    throw unauthorized('participant or platform_user is not as documented')

  const role = roleOf(claims['role'])
  if (!key.allowedRoles.includes(role)) throw unauthorized('the key may not sign this role')
  if (claims['platform_user'] !== undefined && role !== 'platform_observer') {
    throw unauthorized('platform_user is for the role platform_observer only')
  }
  return { tenantId: key.tenantId, roomId, identity, role, displayName, jti }
}

/** The reason is for the log: fixed words, nothing of what the token says. */
function unauthorized(reason: string): ServiceError {
  return new ServiceError('UNAUTHORIZED', {
    headers: { 'www-authenticate': 'Bearer' },
    note: reason,
  })
}

async function findAudioKey(
  header: Claims,
  { iss }: Claims,
  { findKey, now }: TokenVerification,
): Promise<TokenKey> {
  const { alg, kid, typ } = header
  // Every other member is either dangerous (jku, x5u, jwk, crit) or of no use here.
  if (!Object.keys(header).every((name) => HEADER_MEMBERS.has(name))) {
    throw unauthorized('the header has members other than alg, kid, typ and cty')
  }
  if (!TYPES.has(typ)) throw unauthorized('typ is neither room-entry+jwt nor JWT')
  if (typeof iss !== 'string') throw unauthorized('iss, the id of the tenant, is missing')
  if (typeof kid !== 'string') throw unauthorized('kid is missing in the header')

  const key = await findKey({ tenantId: iss, kid })
  if (key === undefined) throw unauthorized('the tenant in iss has no key of this kid')
  if (key.status !== 'active') throw unauthorized('the key is retired or revoked')
  if (key.alg !== alg) throw unauthorized('alg is not the algorithm of the key')
  if (key.notBefore !== null && now < key.notBefore) throw unauthorized('the key is not valid yet')
  if (key.notAfter !== null && key.notAfter < now) throw unauthorized('the key is no longer valid')
  return key
}

async function isSignedBy(token: string, key: TokenKey): Promise<boolean> {
  try {
    await compactVerify(token, await imported(key), { algorithms: [key.alg] })
    return true
  } catch {
    return false
  }
}

const IMPORTED_MAX = 1_000
const importedKeys = new Map<string, ReturnType<typeof importJWK>>()

/** A key is imported once, which costs more than to verify by it. */
function imported({ alg, publicJwk }: TokenKey): ReturnType<typeof importJWK> {
  const name = `${alg} ${JSON.stringify(publicJwk)}`
  const known = importedKeys.get(name)
  if (known !== undefined) return known
  if (importedKeys.size >= IMPORTED_MAX) importedKeys.clear()
  const key = importJWK(publicJwk, alg)
  importedKeys.set(name, key)
  return key
}

function isMeantFor(aud: JsonValue | undefined, audience: string): boolean {
  if (!Array.isArray(aud)) return aud === audience
  return aud.every((each) => typeof each === 'string') && aud.includes(audience)
}

/** What is wrong with the times of the claims; undefined when nothing is. */
function misfitInTime(claims: Claims, { now, leewaySec }: TokenVerification): string | undefined {
  const nowSec = now.getTime() / 1000
  const { iat, exp, nbf } = claims
  if (!isTime(iat)) return 'iat is missing or not a time in seconds'
  if (!isTime(exp)) return 'exp is missing or not a time in seconds'
  if (nbf !== undefined && !isTime(nbf)) return 'nbf is not a time in seconds'
  if (iat >= exp) return 'exp is not behind iat'
  if (exp - iat > PARTICIPANT_TOKEN_MAX_LIFE_SEC) {
    return `exp is more than ${PARTICIPANT_TOKEN_MAX_LIFE_SEC} seconds behind iat`
  }
  if (iat > nowSec + leewaySec) return 'iat is in the future'
  if (exp <= nowSec - leewaySec) return 'the token has expired'
  if (nbf !== undefined && nbf > nowSec + leewaySec) return 'nbf is in the future'
  return undefined
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
  const { external_type: externalType, external_id: given, ...others } = participant
  const isNumber = typeof given === 'number' && Number.isSafeInteger(given)
  const externalId = isNumber ? String(given) : given
  const isPair = isText(externalType, EXTERNAL_REF_MAX) && isText(externalId, EXTERNAL_REF_MAX)
  if (!isPair || Object.keys(others).length > 0) return undefined
  return { kind: 'external', externalType, externalId }
}

function roleOf(value: JsonValue | undefined): Role {
  const role = ROLES.find((word) => word === value)
  if (role !== undefined) return role
  // An absent role is a missing claim; any other word is a role that nobody here knows.
  if (value === undefined) throw unauthorized('role is missing')
  const message = `must be one of: ${ROLES.join(', ')}`
  throw refuseField('UNKNOWN_ROLE', { field: 'role', code: 'INVALID_ENUM', message })
}
