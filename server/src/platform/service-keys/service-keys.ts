import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'
import type { Deps } from '../ports/deps.ts'
import type { ServiceKeys } from '../ports/service-keys.ts'
import { listServiceKeys, type StoredServiceKey } from './store.ts'

export { listServiceKeys } from './store.ts'

export const SERVICE_KEY_ALG = 'ES256'

/** Keys are read again after this long, so that a new one is known everywhere. */
const FRESH_MS = 60_000

/** One for the process: keys are imported once a minute, and on a connection that does not wait for others. */
export function createServiceKeys({
  urgentDb: db,
  secretBox,
  clock,
}: Pick<Deps, 'urgentDb' | 'secretBox' | 'clock'>): ServiceKeys {
  let read: { atMs: number; keys: Promise<ImportedKey[]> } | undefined

  async function importAll(): Promise<ImportedKey[]> {
    const stored = await listServiceKeys(db)
    return stored.map((key) => importStored(key, secretBox))
  }

  async function keys(): Promise<ImportedKey[]> {
    const nowMs = clock().getTime()
    if (read === undefined || nowMs - read.atMs > FRESH_MS) {
      const fresh = { atMs: nowMs, keys: importAll() }
      read = fresh
      // A failed read is not remembered.
      fresh.keys.catch(() => {
        if (read === fresh) read = undefined
      })
    }
    return read.keys
  }

  return {
    async signing() {
      const [newest] = await keys()
      if (newest === undefined) throw new Error('the service has no signing key')
      return { kid: newest.kid, key: newest.privateKey }
    },
    async verifying(kid) {
      return (await keys()).find((key) => key.kid === kid)?.publicKey
    },
  }
}

interface ImportedKey {
  kid: string
  publicKey: KeyObject
  privateKey: KeyObject
}

function importStored(
  { kid, publicJwk, privateJwkEncrypted }: StoredServiceKey,
  secretBox: Deps['secretBox'],
): ImportedKey {
  const privateJwk = JSON.parse(secretBox.open(privateJwkEncrypted)) as JWK
  return {
    kid,
    publicKey: createPublicKey({ key: { ...publicJwk }, format: 'jwk' }),
    privateKey: createPrivateKey({ key: privateJwk, format: 'jwk' }),
  }
}
