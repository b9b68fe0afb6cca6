import type { TenantLimits } from '../config/tenant-limits.ts'
import { inTransaction, type Query } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { findTenantLimits, lockTenantLimits, updateTenantLimits } from './limits-store.ts'
import { UnknownTenantError } from './manage-tenants.ts'

/** Limits as the operator set them for one tenant: null stands for the service's setting, 0 for no limit. */
export type OwnLimits = TenantLimits

const NAMES = ['requestsPerMin', 'roomsMax', 'storedBytesMax'] as const

/** A tenant's limits in force: its own, or the service's if it has none. */
export function limitsOf(own: OwnLimits, ofService: TenantLimits): TenantLimits {
  const limits = NAMES.map((name) => [name, (own[name] ?? ofService[name]) || null])
  return Object.fromEntries(limits) as TenantLimits
}

/** The same for a tenant that was not read yet. */
export async function readTenantLimits(
  query: Query,
  { tenantId, ofService }: { tenantId: string; ofService: TenantLimits },
): Promise<TenantLimits> {
  const own = await findTenantLimits(query, tenantId)
  if (own === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
  return limitsOf(own, ofService)
}

/** Changes the given limits. Every process follows within a second. Throws UnknownTenantError. */
export async function setTenantLimits(
  { db }: Pick<Deps, 'db'>,
  { tenantId, changes }: { tenantId: string; changes: Partial<OwnLimits> },
): Promise<{ before: OwnLimits; now: OwnLimits }> {
  return inTransaction(db, async (tx) => {
    const before = await lockTenantLimits(tx, tenantId)
    if (before === undefined) throw new UnknownTenantError(`there is no tenant ${tenantId}`)
    const now = { ...before, ...changes }
    if (Object.keys(changes).length > 0) await updateTenantLimits(tx, { tenantId, limits: now })
    return { before, now }
  })
}
