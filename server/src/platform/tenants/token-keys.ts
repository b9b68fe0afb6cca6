import { isUuid, toLowerCaseId } from '../lib/uuid.ts'
import type { Deps } from '../ports/deps.ts'
import type { TokenKey, TokenKeys } from '../ports/token-key.ts'
import { createShortCache } from './short-cache.ts'
import { findTokenKeyRow } from './store.ts'

/** Remembers keys for less than a second. */
export function createTokenKeys(deps: Pick<Deps, 'db' | 'publishedKeys' | 'clock'>): TokenKeys {
  const findCached = createShortCache<TokenKey | undefined>(deps)
  return {
    find: ({ tenantId, kid }) =>
      findCached(`${tenantId} ${kid}`, () => findTokenKey(deps, { tenantId, kid })),
  }
}

/**
 * The key of this name: the registered one, whatever its status, else one that the tenant publishes.
 * Undefined also for what cannot be a tenant's id: it comes out of unverified tokens.
 */
export async function findTokenKey(
  { db, publishedKeys }: Pick<Deps, 'db' | 'publishedKeys'>,
  { tenantId, kid }: { tenantId: string; kid: string },
): Promise<TokenKey | undefined> {
  if (!isUuid(tenantId)) return undefined
  const key = { tenantId: toLowerCaseId(tenantId), kid }
  return (await findTokenKeyRow(db, key)) ?? publishedKeys.find(key)
}
