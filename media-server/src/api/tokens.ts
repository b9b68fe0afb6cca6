import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { reasonOf } from '../lib/log.ts'

/** API key to API secret. */
export type ApiKeys = Readonly<Record<string, string>>

/** The `video` claim of an access token. */
export interface VideoGrant {
  room?: string
  roomJoin?: boolean
  roomCreate?: boolean
  roomList?: boolean
  roomAdmin?: boolean
  roomRecord?: boolean
  canPublish?: boolean
  canSubscribe?: boolean
  canPublishData?: boolean
  canPublishSources?: string[]
  canUpdateOwnMetadata?: boolean
  hidden?: boolean
  recorder?: boolean
  agent?: boolean
}

/** Claims of a verified access token. */
export interface Claims {
  apiKey: string
  /** Identifies this token. */
  tokenId: string
  /** Seconds since 1970, with fractions where the issuer states them; undefined where it states no time. */
  issuedAtSec: number | undefined
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  kind: string
  video: VideoGrant
}

export class TokenError extends Error {}

const LEEWAY_SEC = 60
const REFRESHED_TTL_SEC = 600

/** Verifies signature, expiry and not-before (one minute of leeway). Throws TokenError. */
export async function verifyToken(token: string, apiKeys: ApiKeys): Promise<Claims> {
  try {
    const apiKey = decodeJwt(token).iss ?? ''
    const secret = Object.hasOwn(apiKeys, apiKey) ? apiKeys[apiKey] : undefined
    if (secret === undefined) throw new TokenError(`invalid API key: ${apiKey}`)

    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      clockTolerance: LEEWAY_SEC,
      requiredClaims: ['exp'],
    })
    return {
      apiKey,
      tokenId: token.slice(token.lastIndexOf('.') + 1),
      issuedAtSec: payload.iat ?? payload.nbf,
      identity: payload.sub ?? '',
      name: textOf(payload['name']),
      metadata: textOf(payload['metadata']),
      attributes: (payload['attributes'] ?? {}) as Record<string, string>,
      kind: textOf(payload['kind']),
      video: payload['video'] ?? {},
    }
  } catch (error) {
    if (error instanceof TokenError) throw error
    throw new TokenError(`invalid token: ${reasonOf(error)}`, { cause: error })
  }
}

/** Signs claims again, valid for ten minutes; connected clients are fed such tokens. */
export async function signClaims(
  claims: Omit<Claims, 'tokenId' | 'issuedAtSec'>,
  apiKeys: ApiKeys,
): Promise<string> {
  const body = {
    name: claims.name,
    metadata: claims.metadata,
    attributes: claims.attributes,
    ...(claims.kind === '' ? {} : { kind: claims.kind }),
    video: claims.video,
    iat: exactNowSec(),
  }
  return new SignJWT(body)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(claims.apiKey)
    .setSubject(claims.identity)
    .setNotBefore('0s')
    .setExpirationTime(`${REFRESHED_TTL_SEC}s`)
    .sign(new TextEncoder().encode(apiKeys[claims.apiKey]))
}

/** With milliseconds: a whole second would be read as the time of an issuer who states no more. */
function exactNowSec(): number {
  const nowMs = Date.now()
  return (nowMs % 1000 === 0 ? nowMs - 1 : nowMs) / 1000
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
