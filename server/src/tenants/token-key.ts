import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { JWK } from 'jose'

export const TOKEN_KEY_ALGS = ['ES256', 'EdDSA', 'RS256'] as const
export type TokenKeyAlg = (typeof TOKEN_KEY_ALGS)[number]

/** active signs; retired and revoked do not. Revoked says that the key got into wrong hands. */
export type TokenKeyStatus = 'active' | 'retired' | 'revoked'

/** A public key by which a tenant signs participant tokens. */
export interface TokenKey {
  tenantId: string
  kid: string
  alg: TokenKeyAlg
  publicJwk: JWK
  status: TokenKeyStatus
  allowedRoles: readonly Role[]
  notBefore: Date | null
  notAfter: Date | null
}

/** platform_observer must be granted to a key expressly. */
export const DEFAULT_ALLOWED_ROLES: readonly Role[] = ['moderator', 'observer', 'panelist']

const RSA_BITS_MIN = 2048
const KID = /^[\x21-\x7e]{1,128}$/
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Why this key cannot be registered, or undefined when it can. */
export function problemOfTokenKey({
  kid,
  alg,
  publicJwk,
}: Pick<TokenKey, 'kid' | 'alg' | 'publicJwk'>): string | undefined {
  if (!KID.test(kid)) return 'kid must be 1 to 128 visible ASCII characters'
  if (PRIVATE_MEMBERS.some((member) => member in publicJwk)) return 'the key holds its private half'
  try {
    const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' })
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    switch (alg) {
      case 'ES256':
        return namedCurve === 'prime256v1' ? undefined : 'ES256 needs an EC key on P-256'
      case 'EdDSA':
        return key.asymmetricKeyType === 'ed25519' ? undefined : 'EdDSA needs an Ed25519 key'
      case 'RS256':
        return key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN
          ? undefined
          : `RS256 needs an RSA key of at least ${RSA_BITS_MIN} bit`
    }
  } catch {
    return 'the key is not a public JWK'
  }
}
