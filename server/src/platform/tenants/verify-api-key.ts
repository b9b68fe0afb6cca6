import { createHash } from 'node:crypto'
import type { Deps } from '../ports/deps.ts'
import { isSecretOf, NOBODYS_KEY, type PresentedKey, readApiKey } from './api-key.ts'
import { createShortCache } from './short-cache.ts'
import { findApiKey } from './store.ts'

/**
 * Authorization header -> tenant id, or undefined for every failure alike. Remembers verified keys
 * for less than a second, so that a busy tenant costs one look-up a second and process.
 */
export function createApiKeyVerifier({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): (authorization: string | undefined) => Promise<string | undefined> {
  const findCached = createShortCache<string>({ clock })

  async function lookUp({ keyId, secret }: PresentedKey): Promise<string | undefined> {
    const stored = await findApiKey(db, keyId)
    // Always the same work, whatever is wrong.
    const isRight = isSecretOf(stored ?? NOBODYS_KEY, secret)
    return stored !== undefined && isRight && !stored.isRevoked ? stored.tenantId : undefined
  }

  return async (authorization) => {
    const presented = readApiKey(authorization)
    if (presented === undefined) return undefined
    const name = createHash('sha256')
      .update(`${presented.keyId}.${presented.secret}`)
      .digest('base64')
    return findCached(name, () => lookUp(presented))
  }
}
