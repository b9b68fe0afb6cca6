import type { Deps } from '../ports/deps.ts'
import type { TokenKey, TokenKeys } from '../ports/token-key.ts'
import { createBriefBelief } from './believe-briefly.ts'
import { findTokenKey } from './find-token-key.ts'

/** Remembers keys for less than a second. */
export function createTokenKeys(deps: Pick<Deps, 'db' | 'publishedKeys' | 'clock'>): TokenKeys {
  const believe = createBriefBelief<TokenKey>(deps)
  return {
    find: ({ tenantId, kid }) =>
      believe(`${tenantId} ${kid}`, () => findTokenKey(deps, { tenantId, kid })),
  }
}
