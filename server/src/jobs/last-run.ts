import type { Query } from '../db/db.ts'

/**
 * Up to when a repeating job has done its work: when its last good run ended, or since when a part that
 * it asked for waits or fails, if that is earlier. Undefined before the first run.
 */
export async function lastRunOf(
  query: Query,
  { repeating, parts }: { repeating: string; parts: string },
): Promise<Date | undefined> {
  const [row] = await query<{ at: Date | null }[]>`
    select least((select max(succeeded_at) from jobs where kind = ${repeating}),
                 (select min(coalesce(succeeded_at, created_at)) from jobs where kind = ${parts})) as at
  `
  return row?.at ?? undefined
}
