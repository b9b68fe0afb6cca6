import type { Query } from '../platform/db/db.ts'

/** Whether somebody in this database waits for a lock right now. */
export async function hasLockWait(query: Query): Promise<boolean> {
  const waiting = await query`
    select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
  `
  return waiting.length > 0
}
