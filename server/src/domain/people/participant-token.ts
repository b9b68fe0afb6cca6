import { createHash, type KeyObject } from 'node:crypto'
import { PLAIN } from '@interview-room/contract/envelope.ts'
import {
  EXTERNAL_REF_MAX,
  PARTICIPANT_TOKEN_MAX_CHARS,
  PARTICIPANT_TOKEN_MAX_LIFE_SEC,
} from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { isSignedBy } from '../../platform/lib/compact-jws.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import type { JsonValue } from '../../platform/lib/strict-json.ts'
import { toLowerCaseId } from '../../platform/lib/uuid.ts'
import { publicKeyOf, type TokenKey } from '../../platform/ports/token-key.ts'
import { readCompactToken } from './compact-token.ts'
import { countOf, displayNameOf } from './display-name.ts'
import { refuseToken, type TokenRefusal } from './token-refusal.ts'

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
const PLAIN_TEXT = new RegExp(PLAIN, 'u')

/**
 * Verifies a participant token (decided claims and algorithms: see the open points). Throws one and
 * the same 401 UNAUTHORIZED whatever is wrong, and 400 UNKNOWN_ROLE for a sound token whose role is
 * none of ours.
 */
export async function verifyParticipantToken(
  verification: TokenVerification,
): Promise<ParticipantClaims> {
  const { token } = verification
  const roomId = toLowerCaseId(verification.roomId)
  if (token.length > PARTICIPANT_TOKEN_MAX_CHARS) {
    throw refuseToken('TOO_LONG')
  }
  const read = readCompactToken(token)
  if (read === undefined) throw refuseToken('MALFORMED')

  const key = await findAudioKey(read.header, read.payload, verification)
  const publicKey = imported(key)
  if (publicKey === undefined || !isSigned(token, { alg: key.alg, key: publicKey })) {
    throw refuseToken('SIGNATURE_INVALID')
  }

  const claims = read.payload
  if (!isRoom(claims['room_id'], roomId)) throw refuseToken('ROOM_MISMATCH')
  if (!isMeantFor(claims['aud'], verification.audience)) {
    throw refuseToken('AUDIENCE_MISMATCH', `aud is not ${verification.audience}`)
  }
  const misfit = misfitInTime(claims, verification)
  if (misfit !== undefined) throw refuseToken(misfit)
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

async function findAudioKey(
  header: Claims,
  { iss }: Claims,
  { findKey, now }: TokenVerification,
): Promise<TokenKey> {
  const { alg, kid, typ } = header
  // Every other member is either dangerous (jku, x5u, jwk, crit) or of no use here.
  if (!Object.keys(header).every((name) => HEADER_MEMBERS.has(name))) {
    throw refuseToken('HEADER_NOT_ALLOWED')
  }
  if (!TYPES.has(typ)) throw refuseToken('TYPE_INVALID')
  if (typeof iss !== 'string') throw refuseToken('ISSUER_MISSING')
  if (typeof kid !== 'string') throw refuseToken('KID_MISSING')

  const key = await findKey({ tenantId: iss, kid })
  if (key === undefined) throw refuseToken('KEY_UNKNOWN')
  if (key.status !== 'active') throw refuseToken('KEY_INACTIVE')
  if (key.alg !== alg) throw refuseToken('ALGORITHM_MISMATCH')
  if (key.notBefore !== null && now < key.notBefore) throw refuseToken('KEY_NOT_YET_VALID')
  if (key.notAfter !== null && key.notAfter < now) throw refuseToken('KEY_EXPIRED')
  return key
}

const IMPORTED_MAX = 1_000
const importedKeys = new Map<string, KeyObject | undefined>()

/** A key is imported once, which costs more than to verify by it. */
function imported({ alg, publicJwk }: TokenKey): KeyObject | undefined {
  const name = `${alg} ${JSON.stringify(publicJwk)}`
  const known = importedKeys.get(name)
  if (known !== undefined) return known
  if (importedKeys.size >= IMPORTED_MAX) importedKeys.clear()
  const key = publicKeyOf({ alg, publicJwk })
  importedKeys.set(name, key)
  return key
}

const SIGNED_MAX = 10_000
/** By which key a token is signed, by the digest of the token. */
const signers = new Map<string, KeyObject>()

/** A signature is checked once: a person is checked, enters, and reloads the page with the same token. */
function isSigned(token: string, by: Parameters<typeof isSignedBy>[1]): boolean {
  const digest = digestOf(token)
  if (signers.get(digest) === by.key) return true
  if (!isSignedBy(token, by)) return false
  if (signers.size >= SIGNED_MAX) signers.clear()
  signers.set(digest, by.key)
  return true
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')

function isRoom(claim: JsonValue | undefined, roomId: string): boolean {
  return typeof claim === 'string' && toLowerCaseId(claim) === roomId
}

function isMeantFor(aud: JsonValue | undefined, audience: string): boolean {
  if (!Array.isArray(aud)) return aud === audience
  return aud.every((each) => typeof each === 'string') && aud.includes(audience)
}

/** What is wrong with the times of the claims; undefined when nothing is. */
function misfitInTime(
  claims: Claims,
  { now, leewaySec }: TokenVerification,
): TokenRefusal | undefined {
  const nowSec = now.getTime() / 1000
  const { iat, exp, nbf } = claims
  if (!isTime(iat)) return 'ISSUED_AT_INVALID'
  if (!isTime(exp)) return 'EXPIRY_INVALID'
  if (nbf !== undefined && !isTime(nbf)) return 'NOT_BEFORE_INVALID'
  if (iat >= exp) return 'EXPIRY_BEFORE_ISSUE'
  if (exp - iat > PARTICIPANT_TOKEN_MAX_LIFE_SEC) return 'LIFE_TOO_LONG'
  if (iat > nowSec + leewaySec) return 'ISSUED_IN_FUTURE'
  if (exp <= nowSec - leewaySec) return 'EXPIRED'
  if (nbf !== undefined && nbf > nowSec + leewaySec) return 'NOT_YET_VALID'
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

/** As a request of the tenant may give it, so that every reference can be named in one. */
function isReference(value: JsonValue | undefined): value is string {
  return isText(value, EXTERNAL_REF_MAX) && PLAIN_TEXT.test(value)
}

function roleOf(value: JsonValue | undefined): Role {
  const role = ROLES.find((word) => word === value)
  if (role !== undefined) return role
  // An absent role is a missing claim; any other word is a role that nobody here knows.
  if (value === undefined) throw refuseToken('ROLE_MISSING')
  const message = `must be one of: ${ROLES.join(', ')}`
  throw refuseField('UNKNOWN_ROLE', { field: 'role', code: 'INVALID_ENUM', message })
}
