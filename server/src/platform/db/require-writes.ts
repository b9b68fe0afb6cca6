import { type Query, raw } from './db.ts'
import { ASK_READ_ONLY } from './presence.ts'
import { DatabaseLost } from './unavailable.ts'

/** Throws `DatabaseLost` if the server takes no writes: a standby, or a database that is set so. */
export async function requireWrites(query: Query): Promise<void> {
  const [row] = await query<{ isReadOnly: boolean }[]>`${raw(ASK_READ_ONLY)}`
  if (row?.isReadOnly !== false) throw new DatabaseLost(true)
}
