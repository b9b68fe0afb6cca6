import type { LiveTextAudience } from '@interview-room/contract/vocabulary.ts'
import type { Db } from '../db/db.ts'
import { UnknownTenantError } from './manage-tenants.ts'
import { updateLiveText } from './store.ts'

/** Sets who may at most read live text in the rooms of a tenant. Returns the setting before. Throws UnknownTenantError. */
export async function setLiveText(
  db: Db,
  { tenantId, audience }: { tenantId: string; audience: LiveTextAudience },
): Promise<{ before: LiveTextAudience }> {
  const replaced = await updateLiveText(db, { tenantId, audience })
  if (replaced === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
  return replaced
}
