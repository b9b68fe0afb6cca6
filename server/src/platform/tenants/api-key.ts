import { pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

/** The stored part of an API key. The secret itself is shown once and then unknown to us. */
export interface HashedSecret {
  salt: Uint8Array
  cost: number
  secretHash: Uint8Array
}

/**
 * PBKDF2 rounds. The secret has 256 random bits, too many to guess: the rounds exist so that the cost can be raised, not to slow
 * anybody down. 64 rounds take well under 0.1 ms.
 */
const COST = 64
const HASH_BYTES = 32
const API_KEY = /^ApiKey +([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,128}) *$/i

export interface PresentedKey {
  keyId: string
  secret: string
}

/** Parses an Authorization header; undefined unless it has the form `ApiKey <key_id>.<secret>`. */
export function readApiKey(authorization: string | undefined): PresentedKey | undefined {
  const [, keyId, secret] = API_KEY.exec(authorization ?? '') ?? []
  return keyId === undefined || secret === undefined ? undefined : { keyId, secret }
}

export function newApiKey(): PresentedKey & { hashed: HashedSecret } {
  const keyId = `key_${randomBytes(12).toString('hex')}`
  const secret = randomBytes(32).toString('base64url')
  const salt = randomBytes(16)
  return { keyId, secret, hashed: { salt, cost: COST, secretHash: hash(secret, salt, COST) } }
}

/** Compares in constant time. */
export function isSecretOf({ salt, cost, secretHash }: HashedSecret, secret: string): boolean {
  return timingSafeEqual(hash(secret, salt, cost), secretHash)
}

/** Compared with an unknown key, so that refusing it takes as long as for a known one. */
export const NOBODYS_KEY: HashedSecret = {
  salt: Buffer.alloc(16),
  cost: COST,
  secretHash: Buffer.alloc(HASH_BYTES),
}

function hash(secret: string, salt: Uint8Array, cost: number): Buffer {
  return pbkdf2Sync(secret, salt, cost, HASH_BYTES, 'sha256')
}
