import type { Query } from '../db/db.ts'
import { UnknownTenantError } from './manage-tenants.ts'
import { type LiveTextSetting, updateLiveText } from './store.ts'

export type LiveTextOfTenant = Pick<LiveTextSetting, 'audience'> &
  Partial<LiveTextSetting> & { tenantId: string }

/** Sets live text in the rooms of a tenant. Returns the setting before. Throws UnknownTenantError. */
export async function setLiveText(
  query: Query,
  { tenantId, audience, translateTo = null }: LiveTextOfTenant,
): Promise<LiveTextSetting> {
  const before = await updateLiveText(query, { tenantId, audience, translateTo })
  if (before === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
  return before
}
