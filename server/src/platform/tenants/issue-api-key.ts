import type { Db } from '../db/db.ts'
import { newApiKey } from './api-key.ts'
import { insertApiKey } from './store.ts'

/** A new live key beside the tenant's others. The answer is the only time that the secret is seen. */
export async function issueApiKey(
  db: Db,
  { tenantId, note }: { tenantId: string; note: string | null },
): Promise<{ keyId: string; apiKey: string }> {
  const { keyId, secret, hashed } = newApiKey()
  await insertApiKey(db, { keyId, tenantId, note, ...hashed })
  return { keyId, apiKey: `${keyId}.${secret}` }
}
