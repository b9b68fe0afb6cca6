import type { Db } from '../db/db.ts'
import type { GuestKind } from '../ports/media.ts'
import { UnknownTenantError } from './manage-tenants.ts'
import { updateGuestKinds } from './store.ts'

/**
 * Sets the kinds of participants that may be in the tenant's rooms as guests. Those who are there already follow with the next
 * comparison. Returns the kinds before. Throws UnknownTenantError.
 */
export async function setGuestKinds(
  db: Db,
  { tenantId, kinds }: { tenantId: string; kinds: readonly GuestKind[] },
): Promise<{ before: GuestKind[] }> {
  const replaced = await updateGuestKinds(db, { tenantId, kinds: [...new Set(kinds)] })
  if (replaced === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
  return replaced
}
