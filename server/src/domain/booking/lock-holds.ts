import { lockByName, type Tx } from '../../platform/db/db.ts'

/**
 * Whatever deletes automatically takes it shared, before the room, and looks for holds behind it: a legal hold of the
 * tenant is placed before something is deleted, or after, never in between.
 */
export async function lockHolds(tx: Tx, tenantId: string, mode: 'shared' | 'alone'): Promise<void> {
  await lockByName(tx, `legal-holds:${tenantId}`, mode)
}
