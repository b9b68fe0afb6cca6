import { type Db, inTransaction } from '../db/db.ts'
import { newApiKey } from './api-key.ts'
import { endApiKeySoon, insertApiKey } from './store.ts'

interface Rotation {
  tenantId: string
  keyId: string
  /** How long the old key stays valid beside the new one, in seconds. */
  overlapSec: number
  /** End of the new key; null for no end. */
  expiresAt: Date | null
}

/**
 * Replaces a key by a new one with the same purpose; the old key ends soon. Undefined if the tenant has no such valid key. The
 * secret is only in this answer.
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
