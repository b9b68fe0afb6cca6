import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts small secrets at rest (AES-256-GCM; nonce, tag and ciphertext in one value). */
export interface SecretBox {
  seal(plain: string): Buffer
  /** Throws when the value was sealed by another key or altered. */
  open(sealed: Uint8Array): string
  /** The same secret under the current key; undefined if it is under that key already. Throws as `open` does. */
  reseal(sealed: Uint8Array): Buffer | undefined
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * @param key 32 bytes.
 * @param previous Opens what it sealed, and seals nothing more: 32 bytes.
 */
export function createSecretBox(key: Buffer, previous?: Buffer): SecretBox {
  function seal(plain: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  return {
    seal,
    open(sealed) {
      try {
        return openBy(key, sealed)
      } catch (error) {
        if (previous === undefined) throw error
        return openBy(previous, sealed)
      }
    },
    reseal(sealed) {
      try {
        openBy(key, sealed)
        return undefined
      } catch (error) {
        if (previous === undefined) throw error
        return seal(openBy(previous, sealed))
      }
    },
  }
}

function openBy(key: Buffer, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
