import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts small secrets at rest (AES-256-GCM; nonce, tag and ciphertext in one value). */
export interface SecretBox {
  seal(plain: string): Buffer
  /** Throws when the value was sealed by another key or altered. */
  open(sealed: Uint8Array): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** @param key 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
