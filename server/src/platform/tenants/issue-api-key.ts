import type { ApiKeyScope } from '@interview-room/contract/management.ts'
import type { Db } from '../db/db.ts'
import { newApiKey } from './api-key.ts'
import { insertApiKey } from './store.ts'

interface NewKey {
  tenantId: string
  note: string | null
  /** What the key may call; `control` alone unless given. */
  scopes?: readonly ApiKeyScope[]
  /** Null, as by default, for a key without an end. */
  expiresAt?: Date | null
}

/** A new live key beside the tenant's others. The answer is the only time that the secret is seen. */
export async function issueApiKey(
  db: Db,
  { tenantId, note, scopes = ['control'], expiresAt = null }: NewKey,
): Promise<{ keyId: string; apiKey: string }> {
  const { keyId, secret, hashed } = newApiKey()
  await insertApiKey(db, { keyId, tenantId, note, scopes, expiresAt, ...hashed })
  return { keyId, apiKey: `${keyId}.${secret}` }
}
