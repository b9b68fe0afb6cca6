import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
) => Promise<Buffer>

const SALT_BYTES = 16
const HASH_BYTES = 32

/** A password as it is stored. */
export interface HashedPassword {
  salt: Buffer
  hash: Buffer
}

export async function hashPassword(password: string): Promise<HashedPassword> {
  const salt = randomBytes(SALT_BYTES)
  return { salt, hash: await derive(password.normalize('NFKC'), salt, HASH_BYTES) }
}

/** Takes about as long whether it is right or wrong. */
export async function isPassword(
  password: string,
  { salt, hash }: HashedPassword,
): Promise<boolean> {
  return timingSafeEqual(await derive(password.normalize('NFKC'), salt, HASH_BYTES), hash)
}
