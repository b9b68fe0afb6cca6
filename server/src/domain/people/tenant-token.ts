import { hash, type KeyObject } from 'node:crypto'
import { PLAIN } from '@interview-room/contract/envelope.ts'
import { EXTERNAL_REF_MAX, PARTICIPANT_TOKEN_MAX_CHARS } from '@interview-room/contract/limits.ts'
import { isSignedBy } from '../../platform/lib/compact-jws.ts'
import type { JsonValue } from '../../platform/lib/strict-json.ts'
import { publicKeyOf, type TokenKey } from '../../platform/ports/token-key.ts'
import { readCompactToken } from './compact-token.ts'
import { refuseToken, type TokenRefusal } from './token-refusal.ts'

export interface TenantTokenVerification {
  token: string
  audience: string
  leewaySec: number
  now: Date
  findKey: (key: { tenantId: string; kid: string }) => Promise<TokenKey | undefined>
}

/** A kind of token that tenants sign. */
interface TokenKind {
  /** The accepted values of `typ`, in lower case, with the words that the log uses for any other value. */
  types: readonly string[]
  typeWords: string
  lifeMaxSec: number
}

export type TokenClaims = Record<string, JsonValue>

const PLAIN_TEXT = new RegExp(PLAIN, 'u')
/** Members that name another key or another way to verify. Unknown ones are ignored (RFC 7515, 4). */
const REFUSED_MEMBERS = ['jku', 'x5u', 'jwk', 'crit', 'b64']

/** The claims of a token signed with one of the tenant's keys. Throws the same 401 UNAUTHORIZED for every fault. */
export async function readTenantToken(
  verification: TenantTokenVerification,
  kind: TokenKind,
): Promise<{ key: TokenKey; claims: TokenClaims }> {
  const { token } = verification
  if (token.length > PARTICIPANT_TOKEN_MAX_CHARS) throw refuseToken('TOO_LONG')
  const read = readCompactToken(token)
  if (read === undefined) throw refuseToken('MALFORMED')
  const { header, payload } = read
  // A claim that is null is absent: serializers of some languages write every optional one.
  const claims = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null))
  const key = await findKeyOf({ header, claims }, verification, kind)
  const publicKey = imported(key)
  if (publicKey === undefined || !isSigned(token, { alg: key.alg, key: publicKey })) {
    throw refuseToken('SIGNATURE_INVALID')
  }
  return { key, claims }
}

/** Throws 401 UNAUTHORIZED unless the token is meant for this service, and valid now. */
export function refuseMisfit(
  claims: TokenClaims,
  verification: TenantTokenVerification,
  { lifeMaxSec }: TokenKind,
): void {
  if (!isMeantFor(claims['aud'], verification.audience)) {
    throw refuseToken('AUDIENCE_MISMATCH', `aud is not ${verification.audience}`)
  }
  const misfit = misfitInTime(claims, verification, lifeMaxSec)
  if (misfit === 'LIFE_TOO_LONG') {
    throw refuseToken(misfit, `exp is more than ${lifeMaxSec} seconds behind iat`)
  }
  if (misfit !== undefined) throw refuseToken(misfit)
}

export const digestOf = (text: string) => hash('sha256', text, 'base64url')

/** Lengths in code points, as the contract counts. */
export function isText(value: JsonValue | undefined, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && Array.from(value).length <= max
}

/** The same rule as for references in requests, so that a request can name every reference. */
export function isReference(value: JsonValue | undefined): value is string {
  return isText(value, EXTERNAL_REF_MAX) && PLAIN_TEXT.test(value)
}

async function findKeyOf(
  { header, claims: { iss } }: { header: TokenClaims; claims: TokenClaims },
  { findKey, now }: TenantTokenVerification,
  { types, typeWords }: TokenKind,
): Promise<TokenKey> {
  const { alg, kid, typ } = header
  if (REFUSED_MEMBERS.some((name) => name in header)) throw refuseToken('HEADER_NOT_ALLOWED')
  if (typeof typ !== 'string' || !types.includes(mediaTypeOf(typ))) {
    throw refuseToken('TYPE_INVALID', typeWords)
  }
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

/** `typ` is compared without case, and `application/` may be left out (RFC 7515, 4.1.9). */
function mediaTypeOf(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, '')
}

const IMPORTED_MAX = 1_000
const importedKeys = new Map<string, KeyObject | undefined>()

/** Imports each key once, because that costs more than verifying with it. */
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
/** The key that a token was verified with, by the digest of the token. */
const signers = new Map<string, KeyObject>()

/** Verifies each signature once: a person's page uses the same token to check, to enter and to reload. */
function isSigned(token: string, by: Parameters<typeof isSignedBy>[1]): boolean {
  const digest = digestOf(token)
  if (signers.get(digest) === by.key) return true
  if (!isSignedBy(token, by)) return false
  if (signers.size >= SIGNED_MAX) signers.clear()
  signers.set(digest, by.key)
  return true
}

function isMeantFor(aud: JsonValue | undefined, audience: string): boolean {
  if (!Array.isArray(aud)) return aud === audience
  return aud.every((each) => typeof each === 'string') && aud.includes(audience)
}

/** The fault in the times of the claims. Returns undefined without one. */
function misfitInTime(
  claims: TokenClaims,
  { now, leewaySec }: Pick<TenantTokenVerification, 'now' | 'leewaySec'>,
  lifeMaxSec: number,
): TokenRefusal | undefined {
  const nowSec = now.getTime() / 1000
  const { iat, exp, nbf } = claims
  if (!isTime(iat)) return 'ISSUED_AT_INVALID'
  if (!isTime(exp)) return 'EXPIRY_INVALID'
  if (nbf !== undefined && !isTime(nbf)) return 'NOT_BEFORE_INVALID'
  if (iat >= exp) return 'EXPIRY_BEFORE_ISSUE'
  if (exp - iat > lifeMaxSec) return 'LIFE_TOO_LONG'
  if (iat > nowSec + leewaySec) return 'ISSUED_IN_FUTURE'
  if (exp <= nowSec - leewaySec) return 'EXPIRED'
  if (nbf !== undefined && nbf > nowSec + leewaySec) return 'NOT_YET_VALID'
  return undefined
}

function isTime(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
