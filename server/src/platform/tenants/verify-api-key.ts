import { hash } from 'node:crypto'
import type { ApiKeyScope } from '@interview-room/contract/management.ts'
import type { TenantLimits } from '../config/tenant-limits.ts'
import type { Deps } from '../ports/deps.ts'
import { refuseApiKey } from './api-key-refusal.ts'
import { isSecretOf, NOBODYS_KEY, type PresentedKey, readApiKey } from './api-key.ts'
import { createShortCache } from './short-cache.ts'
import { findApiKey, noteApiKeyUse } from './store.ts'

/** The tenant that calls by an API key, and the scopes of that key. */
export interface ApiKeyHolder {
  tenantId: string
  keyId: string
  scopes: readonly ApiKeyScope[]
  /** The tenant's own limits: null stands for the service's setting, 0 for no limit. */
  limits: TenantLimits
}

/**
 * Verifies the Authorization header and returns the key's holder. Throws the same 401 UNAUTHORIZED for every failure; only the
 * reason in the log differs. Remembers verified keys for less than a second, so that a busy tenant costs one look-up per second and
 * process.
 */
export function createApiKeyVerifier({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): (authorization: string | undefined) => Promise<ApiKeyHolder> {
  const findCached = createShortCache<ApiKeyHolder>({ clock })

  async function lookUp({ keyId, secret }: PresentedKey): Promise<ApiKeyHolder> {
    const stored = await findApiKey(db, keyId)
    // Does the same work for every failure, so that the time tells nothing.
    const isRight = isSecretOf(stored ?? NOBODYS_KEY, secret)
    // The text is no id of ours, and may be a secret.
    if (stored === undefined) throw refuseApiKey('KEY_UNKNOWN')
    if (!isRight) throw refuseApiKey('SECRET_WRONG', keyId)
    if (stored.endedBy !== null) throw refuseApiKey(stored.endedBy, keyId)
    if (stored.isUseUnnoted) await noteApiKeyUse(db, keyId)
    const { tenantId, scopes, limits } = stored
    return { tenantId, keyId, scopes, limits }
  }

  return async (authorization) => {
    const presented = readApiKey(authorization)
    if (presented === undefined) {
      throw refuseApiKey(authorization === undefined ? 'KEY_MISSING' : 'KEY_MALFORMED')
    }
    const name = hash('sha256', `${presented.keyId}.${presented.secret}`, 'base64')
    return findCached(name, () => lookUp(presented))
  }
}
