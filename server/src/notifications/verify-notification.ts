import { createHash, timingSafeEqual } from 'node:crypto'
import { jwtVerify } from 'jose'

const CLOCK_SKEW_SEC = 60

export interface NotificationKey {
  apiKey: string
  apiSecret: string
}

/**
 * Whether the provider has sent exactly these bytes: a token signed with the shared secret (with or
 * without "Bearer") whose `sha256` claim is the digest of the raw body.
 */
export async function isAuthentic(
  body: Buffer,
  authorization: string | undefined,
  { apiKey, apiSecret }: NotificationKey,
): Promise<boolean> {
  const token = authorization?.replace(/^Bearer +/i, '').trim() ?? ''
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(apiSecret), {
      algorithms: ['HS256'],
      issuer: apiKey,
      clockTolerance: CLOCK_SKEW_SEC,
      requiredClaims: ['exp'],
    })
    return isDigestOf(payload['sha256'], body)
  } catch {
    return false
  }
}

function isDigestOf(claim: unknown, body: Buffer): boolean {
  if (typeof claim !== 'string') return false
  const digest = createHash('sha256').update(body).digest()
  const claimed = Buffer.from(claim, 'base64')
  return claimed.length === digest.length && timingSafeEqual(claimed, digest)
}
