import { createPublicKey, type KeyObject } from 'node:crypto'
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

/** Keys of tenants, registered or published. */
export interface TokenKeys {
  /** Undefined for none of this name. A change of the key holds within a second. Throws like `PublishedKeys`. */
  find(key: { tenantId: string; kid: string }): Promise<TokenKey | undefined>
}

/** Keys that tenants publish at an address of their own. */
export interface PublishedKeys {
  /**
   * Undefined when the tenant publishes nothing, or no key of this name. Throws 503
   * SERVICE_UNAVAILABLE when its address does not answer and nothing is known from before.
   */
  find(key: { tenantId: string; kid: string }): Promise<TokenKey | undefined>
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
  const key = importPublicKey(publicJwk)
  if (key === undefined) return 'the key is not a public JWK'
  const { isFit, needs } = FITNESS[alg]
  return isFit(key) ? undefined : `${alg} needs ${needs}`
}

/** The key to verify by; undefined for one that could not be registered. */
export function publicKeyOf({
  alg,
  publicJwk,
}: Pick<TokenKey, 'alg' | 'publicJwk'>): KeyObject | undefined {
  const key = importPublicKey(publicJwk)
  return key !== undefined && FITNESS[alg].isFit(key) ? key : undefined
}

const FITNESS: Record<TokenKeyAlg, { isFit: (key: KeyObject) => boolean; needs: string }> = {
  ES256: {
    isFit: ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === 'prime256v1',
    needs: 'an EC key on P-256',
  },
  EdDSA: {
    isFit: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
    needs: 'an Ed25519 key',
  },
  RS256: {
    isFit: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
      asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN,
    needs: `an RSA key of at least ${RSA_BITS_MIN} bit`,
  },
}

function importPublicKey(publicJwk: JWK): KeyObject | undefined {
  try {
    return createPublicKey({ key: publicJwk, format: 'jwk' })
  } catch {
    return undefined
  }
}
