import { type Db, inTransaction } from '../db/db.ts'
import { newApiKey } from './api-key.ts'
import { endApiKeySoon, insertApiKey } from './store.ts'

interface Rotation {
  tenantId: string
  keyId: string
  /** For how long the old key stays valid beside the new one, in seconds. */
  overlapSec: number
  /** Of the new key; null for one without an end. */
  expiresAt: Date | null
}

/**
 * A new key for what the old one was for, which ends soon. Undefined where the tenant has no such key that is valid.
 * The answer is the only time that the secret is seen.
 */
export async function rotateApiKey(
  db: Db,
  { tenantId, keyId, overlapSec, expiresAt }: Rotation,
): Promise<{ keyId: string; apiKey: string } | undefined> {
  const next = newApiKey()
  const old = await inTransaction(db, async (tx) => {
    const ended = await endApiKeySoon(tx, { tenantId, keyId, overlapSec })
    if (ended === undefined) return undefined
    const { note, scopes } = ended
    await insertApiKey(tx, { keyId: next.keyId, tenantId, note, scopes, expiresAt, ...next.hashed })
    return ended
  })
  return old && { keyId: next.keyId, apiKey: `${next.keyId}.${next.secret}` }
}
