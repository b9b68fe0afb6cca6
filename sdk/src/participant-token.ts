import type { Role } from '@interview-room/contract/vocabulary.ts'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'

export type TokenAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

/** A key pair of your backend. The operator registers the public half. */
export interface TokenKeys {
  /** The name under which the key is registered. */
  kid: string
  alg: TokenAlgorithm
  publicJwk: JWK
  /** Keep it in your backend. */
  privateJwk: JWK
}

/** A new key pair, for `npm run admin -- token-keys add --jwk`. */
export async function generateTokenKeys({
  kid,
  alg = 'ES256',
}: {
  kid: string
  alg?: TokenAlgorithm
}): Promise<TokenKeys> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const [publicJwk, privateJwk] = await Promise.all([
    exportJWK(pair.publicKey),
    exportJWK(pair.privateKey),
  ])
  return { kid, alg, publicJwk, privateJwk }
}

export interface ParticipantTokenOptions {
  key: Pick<TokenKeys, 'kid' | 'alg' | 'privateJwk'>
  /** Your tenant id. */
  tenantId: string
  /** The address that participants open: `https://interviews.example.com`. */
  publicUrl: string
  roomId: string
  role: Role
  /** What others see, 1 to 255 characters. */
  name: string
  /** Your reference to the person. Without one, every token is a person of its own. */
  participant?: { externalType: string; externalId: string }
  /** Seconds from now, at most 90,000 (25 hours); two hours unless given. */
  expiresInSec?: number
  /** Id of the token: tokens without `participant` that share it are one person. */
  jti?: string
  /** Language of the page, such as `ja`. */
  locale?: string
}

const LIFE_SEC = 7_200
const LIFE_MAX_SEC = 90_000
const NAME_MAX = 255

/**
 * Signs a participant token (docs/participant-tokens.md), which admits one person to one room in one role. Throws
 * RangeError for a name or a life that the service would refuse with a bare 401.
 */
export async function signParticipantToken(options: ParticipantTokenOptions): Promise<string> {
  const { key, tenantId, publicUrl, name, expiresInSec = LIFE_SEC } = options
  // In characters of Unicode, as the service counts them.
  const { length } = Array.from(name)
  if (length < 1 || length > NAME_MAX) throw new RangeError('name must have 1 to 255 characters')
  if (!(expiresInSec >= 1 && expiresInSec <= LIFE_MAX_SEC)) {
    throw new RangeError('expiresInSec must be from 1 to 90000')
  }
  const nowSec = Math.floor(Date.now() / 1000)
  return new SignJWT(claimsOf(options))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'room-entry+jwt' })
    .setIssuer(tenantId)
    .setAudience(publicUrl.replace(/\/$/, ''))
    .setIssuedAt(nowSec)
    .setExpirationTime(nowSec + expiresInSec)
    .sign(await importJWK(key.privateJwk, key.alg))
}

function claimsOf({
  roomId,
  role,
  name,
  participant,
  jti,
  locale,
}: ParticipantTokenOptions): JWTPayload {
  return {
    room_id: roomId,
    role,
    name,
    ...(participant !== undefined && {
      participant: {
        external_type: participant.externalType,
        external_id: participant.externalId,
      },
    }),
    ...(jti !== undefined && { jti }),
    ...(locale !== undefined && { locale }),
  }
}

/** The link that lets the holder of the token into the room: give it to that person only. */
export function roomLink(room: { connect_url: string }, token: string): string {
  return `${room.connect_url}#token=${token}`
}
