import type { Db } from '../db/db.ts'
import { UnknownTenantError } from './manage-tenants.ts'
import { type LiveTextSetting, updateLiveText } from './store.ts'

/** Sets live text in the rooms of a tenant. Returns the setting before. Throws UnknownTenantError. */
export async function setLiveText(
  db: Db,
  {
    tenantId,
    audience,
    translateTo = null,
  }: Pick<LiveTextSetting, 'audience'> & Partial<LiveTextSetting> & { tenantId: string },
): Promise<LiveTextSetting> {
  const before = await updateLiveText(db, { tenantId, audience, translateTo })
  if (before === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
  return before
}
