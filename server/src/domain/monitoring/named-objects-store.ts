import { captureBeside } from '@interview-room/composer/capture/capture-archive.ts'
import { identifier, type Query } from '../../platform/db/db.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'

interface ObjectColumn {
  table: string
  column: string
}

/** Every column that names an object. An object in none of them is an orphan. */
export const OBJECT_COLUMNS: readonly ObjectColumn[] = [
  { table: 'recordings', column: 'storage_key' },
  { table: 'recording_segments', column: 'storage_key' },
  { table: 'recording_voices', column: 'storage_key' },
  { table: 'processed_recordings', column: 'storage_key' },
  { table: 'processed_recordings', column: 'upload_key' },
  { table: 'clips', column: 'storage_key' },
  { table: 'transcriptions', column: 'result_key' },
  { table: 'transcription_revisions', column: 'words_key' },
  { table: 'transcription_revisions', column: 'result_key' },
  { table: 'handouts', column: 'storage_key' },
  { table: 'handouts', column: 'rendition_key' },
  { table: 'handout_presentations', column: 'storage_key' },
  { table: 'chat_messages', column: 'attachment_key' },
  { table: 'chat_attachments', column: 'upload_key' },
]

/** Columns with such a name that hold other kinds of keys. */
export const OTHER_KEYS = [
  'participants.anonymous_key',
  'webhook_events.stream_key',
  'webhook_events.dedupe_key',
  'webhook_deliveries.stream_key',
  // The release before takes it for a name, and so deletes none of them after a rollback.
  'storage_differences.storage_key',
] as const

/**
 * Divides the keys of existing tenants into those that a row names and the others. Other tenants' keys may belong to other services
 * in the bucket. Keys that a deletion job covers, or that still wait for their row, count as named: they are left to that job.
 */
export async function divideByName(
  query: Query,
  keys: readonly string[],
): Promise<{ named: string[]; unnamed: string[] }> {
  if (keys.length === 0) return { named: [], unnamed: [] }
  const ours = await findKeysOfTenants(query, keys)
  // Chunks and pieces belong to the row that names their capture.
  const owners = new Map(ours.map((key) => [key, captureBeside(key) ?? key]))
  const unnamed = new Set(await findUnnamedOwners(query, [...new Set(owners.values())]))
  const isUnnamed = (key: string) => unnamed.has(owners.get(key) ?? key)
  return { named: ours.filter((key) => !isUnnamed(key)), unnamed: ours.filter(isUnnamed) }
}

async function findUnnamedOwners(query: Query, keys: readonly string[]): Promise<string[]> {
  const wanted = new Set(keys)
  for (const { table, column } of [...OBJECT_COLUMNS, ...(await listLaterColumns(query))]) {
    if (wanted.size === 0) return []
    const named = await query<{ key: string }[]>`
      select ${identifier(column)} as key
        from ${identifier(table)}
       where ${identifier(column)} = any(${[...wanted]})
    `
    for (const { key } of named) wanted.delete(key)
  }
  return withoutOrders(query, [...wanted])
}

/**
 * Further key columns of a later release's schema, on which this release may run after a rollback. Objects that they name
 * are not orphans.
 */
async function listLaterColumns(query: Query): Promise<ObjectColumn[]> {
  const known = [...OBJECT_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...OTHER_KEYS]
  return query<ObjectColumn[]>`
    select table_name as "table", column_name as "column"
      from information_schema.columns
     where table_schema = any(current_schemas(false))
       and column_name like '%\\_key' and data_type = 'text'
       and table_name || '.' || column_name <> all(${known})
  `
}

async function findKeysOfTenants(query: Query, keys: readonly string[]): Promise<string[]> {
  const tenantIds = [...new Set(keys.map(tenantOf))]
  const rows = await query<{ id: string }[]>`select id from tenants where id = any(${tenantIds})`
  const ours = new Set(rows.map(({ id }) => id))
  return keys.filter((key) => ours.has(tenantOf(key)))
}

function tenantOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

async function withoutOrders(query: Query, keys: readonly string[]): Promise<string[]> {
  const orders = new Map(keys.map((key) => [deleteObjectsRequest([key]).key, key]))
  const { kind } = deleteObjectsRequest([])
  const rows = await query<{ key: string }[]>`
    select key from jobs where kind = ${kind} and key = any(${[...orders.keys()]})
  `
  for (const { key } of rows) orders.delete(key)
  return [...orders.values()]
}
