import { randomBytes } from 'node:crypto'

const BYTES = 32

/** The token of the simple route: 256 random bits in base64url. */
export function newAccessToken(): string {
  return randomBytes(BYTES).toString('base64url')
}
