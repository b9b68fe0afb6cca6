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
/** Verification by a larger modulus would hold the process for milliseconds. */
const RSA_BITS_MAX = 8192
/** The bounds of FIPS 186-5. By an exponent of 1, everybody can sign. */
const RSA_EXPONENT_MIN = 65_537n
const RSA_EXPONENT_MAX = 2n ** 256n
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
  return isFit(key, publicJwk) ? undefined : `${alg} needs ${needs}`
}

/** The key to verify by; undefined for one that could not be registered. */
export function publicKeyOf({
  alg,
  publicJwk,
}: Pick<TokenKey, 'alg' | 'publicJwk'>): KeyObject | undefined {
  const key = importPublicKey(publicJwk)
  return key !== undefined && FITNESS[alg].isFit(key, publicJwk) ? key : undefined
}

interface Fitness {
  isFit: (key: KeyObject, publicJwk: JWK) => boolean
  needs: string
}

const FITNESS: Record<TokenKeyAlg, Fitness> = {
  ES256: {
    isFit: ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === 'prime256v1',
    needs: 'an EC key on P-256',
  },
  EdDSA: {
    isFit: ({ asymmetricKeyType }, { x }) =>
      asymmetricKeyType === 'ed25519' && !hasSmallOrder(bytesOf(x)),
    needs: 'an Ed25519 key that is not a point of small order',
  },
  RS256: {
    isFit: ({ asymmetricKeyType, asymmetricKeyDetails }, { n }) => {
      const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails ?? {}
      const isSized = bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX
      const isSigner = exponent >= RSA_EXPONENT_MIN && exponent < RSA_EXPONENT_MAX
      const isOdd = exponent % 2n === 1n && (bytesOf(n).at(-1) ?? 0) % 2 === 1
      return asymmetricKeyType === 'rsa' && isSized && isSigner && isOdd
    },
    needs: `an RSA key of ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bit with an odd modulus, and an odd exponent of at least ${RSA_EXPONENT_MIN}`,
  },
}

/** Encodings of the points of small order on Ed25519, without the sign. By such a key, one signature fits any message. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

function hasSmallOrder(point: Buffer): boolean {
  const withoutSign = Buffer.from(point)
  const last = withoutSign.at(-1)
  if (last !== undefined) withoutSign[withoutSign.length - 1] = last % 0x80
  return SMALL_ORDER.has(withoutSign.toString('hex'))
}

function bytesOf(member: string | undefined): Buffer {
  return Buffer.from(member ?? '', 'base64url')
}

function importPublicKey(publicJwk: JWK): KeyObject | undefined {
  try {
    return createPublicKey({ key: publicJwk, format: 'jwk' })
  } catch {
    return undefined
  }
}
