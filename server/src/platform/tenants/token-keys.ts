import type { Deps } from '../ports/deps.ts'
import type { TokenKey, TokenKeys } from '../ports/token-key.ts'
import { findTokenKey } from './find-token-key.ts'
import { createShortCache } from './short-cache.ts'

/** Remembers keys for less than a second. */
export function createTokenKeys(deps: Pick<Deps, 'db' | 'publishedKeys' | 'clock'>): TokenKeys {
  const findCached = createShortCache<TokenKey>(deps)
  return {
    find: ({ tenantId, kid }) =>
      findCached(`${tenantId} ${kid}`, () => findTokenKey(deps, { tenantId, kid })),
  }
}
