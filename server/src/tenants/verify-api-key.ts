import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { isSecretOf, NOBODYS_KEY, type PresentedKey, readApiKey } from './api-key.ts'
import { findApiKey } from './store.ts'

/** A revocation holds on every replica within this time: no verification is believed for longer. */
const BELIEVED_MS = 900
const CACHED_MAX = 10_000

interface Verified {
  tenantId: string
  /** When the database was asked, not when it answered. */
  askedAtMs: number
}

/**
 * Authorization header -> tenant id, or undefined for every failure alike. Remembers verified keys
 * for less than a second, so that a busy tenant costs one look-up a second and process.
 */
export function createApiKeyVerifier({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): (authorization: string | undefined) => Promise<string | undefined> {
  const cache = new Map<string, Verified>()

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
    const askedAtMs = clock().getTime()
    const known = cache.get(name)
    if (known !== undefined && askedAtMs - known.askedAtMs < BELIEVED_MS) return known.tenantId

    const tenantId = await lookUp(presented)
    cache.delete(name)
    if (tenantId === undefined) return undefined
    // Only verified keys are kept, so that nonsense cannot fill the map.
    if (cache.size >= CACHED_MAX) cache.clear()
    cache.set(name, { tenantId, askedAtMs })
    return tenantId
  }
}
