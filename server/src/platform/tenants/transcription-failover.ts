import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '../db/db.ts'
import { UnknownTenantError } from './manage-tenants.ts'
import { updateTranscriptionFailover } from './store.ts'

/**
 * Sets the engines that transcriptions of a tenant try, in this order, when the room's own engine cannot. Returns the ones
 * before. Throws UnknownTenantError.
 */
export async function setTranscriptionFailover(
  db: Db,
  { tenantId, engines }: { tenantId: string; engines: readonly TranscriptionEngine[] },
): Promise<{ before: TranscriptionEngine[] }> {
  const replaced = await updateTranscriptionFailover(db, { tenantId, engines })
  if (replaced === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
  return replaced
}
