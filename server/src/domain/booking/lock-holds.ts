import type { Tx } from '../../platform/db/db.ts'
import { lockByName } from '../../platform/db/named-locks.ts'

/**
 * Every automatic deletion takes this lock shared, before the room's lock, and then checks for holds. So a tenant places a
 * legal hold before a deletion or after it, never during one.
 */
export async function lockHolds(tx: Tx, tenantId: string, mode: 'shared' | 'alone'): Promise<void> {
  await lockByName(tx, `legal-holds:${tenantId}`, mode)
}
