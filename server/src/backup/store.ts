import type { Query } from '../platform/db/db.ts'

export async function countTables(query: Query): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from information_schema.tables where table_schema = 'public'
  `
  return row?.count ?? 0
}

/** 18 of PostgreSQL 18.4. */
export async function readMajor(query: Query): Promise<number> {
  const [row] = await query<{ major: number }[]>`
    select current_setting('server_version_num')::int / 10000 as major
  `
  return row?.major ?? 0
}

/** Keys of objects that must be there: of recordings, transcripts, handouts and chat files that can be opened. */
export async function listNeededObjects(query: Query): Promise<string[]> {
  const rows = await query<{ key: string }[]>`
    select storage_key as key from recordings where status = 'available'
    union select storage_key from processed_recordings where status = 'available'
    union select result_key from transcriptions where status = 'done'
    union select storage_key from handouts
    union select attachment_key from chat_messages
  `
  return rows.flatMap(({ key }) => key ?? [])
}
