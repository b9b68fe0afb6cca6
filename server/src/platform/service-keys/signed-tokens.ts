import { decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import { SERVICE_KEY_ALG } from './service-keys.ts'

export interface SignedTokens {
  sign(claims: JWTPayload, token: { subject: string; lifeSec: number }): Promise<SignedToken>
  /** Throws 401 UNAUTHORIZED unless it is a living token of this kind. */
  verify(token: string): Promise<JWTPayload & { sub: string; exp: number }>
}

interface SignedToken {
  token: string
  expiresAt: Date
}

/**
 * Tokens that this service gives to itself: JWTs by its own key, so that every replica can read
 * them. The type stands in the header, so that no kind passes for another.
 */
export function createSignedTokens(
  { serviceKeys: keys, clock, config }: Pick<Deps, 'serviceKeys' | 'clock' | 'config'>,
  type: string,
): SignedTokens {
  return {
    async sign(claims, { subject, lifeSec }) {
      const { kid, key } = await keys.signing()
      const nowSec = Math.floor(clock().getTime() / 1000)
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: SERVICE_KEY_ALG, typ: type, kid })
        .setIssuer(config.publicUrl)
        .setAudience(config.publicUrl)
        .setSubject(subject)
        .setIssuedAt(nowSec)
        .setExpirationTime(nowSec + lifeSec)
        .sign(key)
      return { token, expiresAt: new Date((nowSec + lifeSec) * 1000) }
    },

    async verify(token) {
      const key = await keys.verifying(kidOf(token))
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
      return { ...payload, sub: payload.sub ?? '', exp: payload.exp ?? 0 }
    },
  }
}

/** Whether it is of this kind by its own account; whether it is one, `verify` says. */
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
