import type { Query } from '../db/db.ts'
import { isUuid } from '../lib/uuid.ts'
import { findTokenKeyRow } from './store.ts'
import type { TokenKey } from './token-key.ts'

/** Undefined also for what cannot be a tenant's id or a key's: both come out of unverified tokens. */
export async function findTokenKey(
  query: Query,
  key: { tenantId: string; kid: string },
): Promise<TokenKey | undefined> {
  if (!isUuid(key.tenantId)) return undefined
  return findTokenKeyRow(query, key)
}
