import type { ApiKeyScope } from '@interview-room/contract/management.ts'
import type { Db } from '../db/db.ts'
import { newApiKey } from './api-key.ts'
import { insertApiKey } from './store.ts'

interface NewKey {
  tenantId: string
  note: string | null
  /** Operations that the key may call; only `control` by default. */
  scopes?: readonly ApiKeyScope[]
  /** End of the key; null, the default, for no end. */
  expiresAt?: Date | null
}

/** Issues a live key beside the tenant's others. The secret is only in this answer. */
export async function issueApiKey(
  db: Db,
  { tenantId, note, scopes = ['control'], expiresAt = null }: NewKey,
): Promise<{ keyId: string; apiKey: string }> {
  const { keyId, secret, hashed } = newApiKey()
  await insertApiKey(db, { keyId, tenantId, note, scopes, expiresAt, ...hashed })
  return { keyId, apiKey: `${keyId}.${secret}` }
}
