import { displayNameOf } from '@interview-room/contract/display-name.ts'
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

/** The options that all tokens have in common. */
export interface TenantTokenOptions {
  key: Pick<TokenKeys, 'kid' | 'alg' | 'privateJwk'>
  /** Your tenant id. */
  tenantId: string
  /** The address that participants open: `https://interviews.example.com`. */
  publicUrl: string
  /** The name that others see: 1 to 255 characters, without control characters such as tabs. */
  name: string
}

interface TokenContent {
  type: string
  claims: JWTPayload
  expiresInSec: number
  lifeMaxSec: number
}

/** Throws RangeError for a name or a life that the service would refuse with a bare 401. */
export async function signTenantToken(
  { key, tenantId, publicUrl, name }: TenantTokenOptions,
  { type, claims, expiresInSec, lifeMaxSec }: TokenContent,
): Promise<string> {
  if (displayNameOf(name) === undefined) {
    throw new RangeError(
      'name must have 1 to 255 characters, no control characters, and something to be seen',
    )
  }
  if (!(expiresInSec >= 1 && expiresInSec <= lifeMaxSec)) {
    throw new RangeError(`expiresInSec must be from 1 to ${lifeMaxSec}`)
  }
  const nowSec = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...claims, name })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: type })
    .setIssuer(tenantId)
    .setAudience(publicUrl.replace(/\/$/, ''))
    .setIssuedAt(nowSec)
    .setExpirationTime(nowSec + expiresInSec)
    .sign(await importJWK(key.privateJwk, key.alg))
}
