import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeJwt, errors, jwtVerify } from 'jose'
import type { LivekitKey } from '../../platform/config/config.ts'

const CLOCK_SKEW_SEC = 60

/** `of_another_time`: signed with the right key, and expired or not valid yet. */
type Verdict = 'authentic' | 'of_another_time' | 'refused'

/**
 * Checks that the provider sent exactly these bytes. The token (with or without "Bearer") must be signed with the secret of
 * one of these keys, and its `sha256` claim must be the digest of the raw body.
 */
export async function judgeNotification(
  body: Buffer,
  authorization: string | undefined,
  { keys, now }: { keys: readonly LivekitKey[]; now: Date },
): Promise<Verdict> {
  const token = authorization?.replace(/^Bearer +/i, '').trim() ?? ''
  try {
    const { iss } = decodeJwt(token)
    const key = keys.find(({ apiKey }) => apiKey === iss)
    if (key === undefined) return 'refused'
    const { payload } = await jwtVerify(token, new TextEncoder().encode(key.apiSecret), {
      algorithms: ['HS256'],
      issuer: key.apiKey,
      currentDate: now,
      clockTolerance: CLOCK_SKEW_SEC,
      requiredClaims: ['exp'],
    })
    return isDigestOf(payload['sha256'], body) ? 'authentic' : 'refused'
  } catch (error) {
    return isOfAnotherTime(error) ? 'of_another_time' : 'refused'
  }
}

/** The signature has already been checked. */
function isOfAnotherTime(error: unknown): boolean {
  if (error instanceof errors.JWTExpired) return true
  return error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf'
}

function isDigestOf(claim: unknown, body: Buffer): boolean {
  if (typeof claim !== 'string') return false
  const digest = createHash('sha256').update(body).digest()
  const claimed = Buffer.from(claim, 'base64')
  return claimed.length === digest.length && timingSafeEqual(claimed, digest)
}
