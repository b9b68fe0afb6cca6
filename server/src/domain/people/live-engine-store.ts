import type { Fragment, Query } from '../../platform/db/db.ts'

/** Notes the engines of live text that a worker has been configured with, for every process that asks or shows something. */
export async function noteLiveEngines(query: Query, names: readonly string[]): Promise<void> {
  await query`
    insert into live_engines (names) values (${[...names]}::text[])
    on conflict (id) do update set names = excluded.names, noted_at = clock_timestamp()
  `
}

/** Part of a statement: true if the workers have an engine of live text. */
export function hasLiveEngine(query: Query): Fragment {
  return query`exists (select from live_engines where names <> '{}')`
}
