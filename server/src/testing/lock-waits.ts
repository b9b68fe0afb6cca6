import type { Query } from '../platform/db/db.ts'

/** Statements in this database that wait for a lock right now. */
export async function countLockWaits(query: Query): Promise<number> {
  const waiting = await query`
    select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
  `
  return waiting.length
}

/** True if a statement waits for a lock. */
export async function hasLockWait(query: Query): Promise<boolean> {
  return (await countLockWaits(query)) > 0
}
