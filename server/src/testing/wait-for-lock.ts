import type { Db } from '../platform/db/db.ts'
import { waitFor } from './wait-for.ts'

/** Until so many statements in this database wait for a lock that somebody else holds. */
export async function waitForLock(db: Db, count = 1): Promise<void> {
  await waitFor(async () => {
    const waiting = await db`
      select 1 from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()
    `
    return waiting.length >= count
  })
}
