import type { KeyObject } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { signJws } from '../lib/compact-jws.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import { SERVICE_KEY_ALG } from './service-keys.ts'

export interface SignedTokens {
  sign(claims: JWTPayload, token: { subject: string; lifeSec: number }): Promise<SignedToken>
  /** Throws 401 UNAUTHORIZED unless it is a valid token of this kind. */
  verify(token: string): Promise<JWTPayload & { sub: string; exp: number }>
}

interface SignedToken {
  token: string
  expiresAt: Date
}

interface VerifiedToken {
  kid: string
  key: KeyObject
  payload: JWTPayload & { sub: string; exp: number }
}

/** Each entry has a few hundred bytes. */
const VERIFIED_MAX = 10_000

/**
 * Tokens that this service issues for itself: JWTs signed with its own key, so that every replica can read
 * them. The type stands in the header, so that no kind passes for another.
 *
 * A signature is checked once and remembered, because a page sends the same ticket for a quarter of an hour. What may
 * change meanwhile is checked every time: whether the key is still one of the service, and whether the token expired.
 */
export function createSignedTokens(
  { serviceKeys: keys, clock, config }: Pick<Deps, 'serviceKeys' | 'clock' | 'config'>,
  type: string,
): SignedTokens {
  const verified = new Map<string, VerifiedToken>()

  async function findVerified(token: string): Promise<VerifiedToken['payload'] | undefined> {
    const known = verified.get(token)
    if (known === undefined) return undefined
    const isKeyKept = (await keys.verifying(known.kid)) === known.key
    if (isKeyKept && known.payload.exp > Math.floor(clock().getTime() / 1000)) return known.payload
    verified.delete(token)
    return undefined
  }

  function remember(token: string, found: VerifiedToken): void {
    const [oldest] = verified.keys()
    if (verified.size >= VERIFIED_MAX && oldest !== undefined) verified.delete(oldest)
    verified.set(token, found)
  }

  return {
    async sign(claims, { subject, lifeSec }) {
      const { kid, key } = await keys.signing()
      const nowSec = Math.floor(clock().getTime() / 1000)
      const exp = nowSec + lifeSec
      const { publicUrl } = config
      const token = signJws(
        { alg: SERVICE_KEY_ALG, typ: type, kid },
        { ...claims, iss: publicUrl, aud: publicUrl, sub: subject, iat: nowSec, exp },
        key,
      )
      return { token, expiresAt: new Date(exp * 1000) }
    },

    async verify(token) {
      const known = await findVerified(token)
      if (known !== undefined) return known
      const kid = kidOf(token)
      const key = await keys.verifying(kid)
      if (key === undefined) throw unauthorized('the token is not of this service')
      const { payload } = await jwtVerify(token, key, {
        algorithms: [SERVICE_KEY_ALG],
        typ: type,
        issuer: config.publicUrl,
        audience: config.publicUrl,
        requiredClaims: ['sub', 'exp'],
        currentDate: clock(),
      }).catch((cause: unknown) => {
        throw unauthorized('the token is not valid, or no longer', cause)
      })
      const found = { ...payload, sub: payload.sub ?? '', exp: payload.exp ?? 0 }
      remember(token, { kid, key, payload: found })
      return found
    },
  }
}

/** True if its header claims this kind. Only `verify` tells if that is so. */
export function isOfType(token: string, type: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === type
  } catch {
    return false
  }
}

/** The credential of an `Authorization: Bearer` header. Throws 401 UNAUTHORIZED without one. */
export function bearerOf(authorization: string | undefined): string {
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')
  if (match?.[1] === undefined) throw unauthorized('there is no Bearer credential')
  return match[1]
}

/** The reason is for the log. */
export function unauthorized(note: string, cause?: unknown): ServiceError {
  return new ServiceError('UNAUTHORIZED', {
    headers: { 'www-authenticate': 'Bearer' },
    note,
    cause,
  })
}

function kidOf(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? ''
  } catch (cause) {
    throw unauthorized('the header of the token cannot be read', cause)
  }
}
