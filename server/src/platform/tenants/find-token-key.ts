import { isUuid } from '../lib/uuid.ts'
import type { Deps } from '../ports/deps.ts'
import type { TokenKey } from '../ports/token-key.ts'
import { findTokenKeyRow } from './store.ts'

/**
 * The key of this name: the registered one, whatever its status, else one that the tenant publishes.
 * Undefined also for what cannot be a tenant's id: it comes out of unverified tokens.
 */
export async function findTokenKey(
  { db, publishedKeys }: Pick<Deps, 'db' | 'publishedKeys'>,
  key: { tenantId: string; kid: string },
): Promise<TokenKey | undefined> {
  if (!isUuid(key.tenantId)) return undefined
  return (await findTokenKeyRow(db, key)) ?? publishedKeys.find(key)
}
