import type { Query } from '../platform/db/db.ts'

export async function countTables(query: Query): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from information_schema.tables where table_schema = 'public'
  `
  return row?.count ?? 0
}

/** Major version, such as 18 of PostgreSQL 18.4. */
export async function readMajor(query: Query): Promise<number> {
  const [row] = await query<{ major: number }[]>`
    select current_setting('server_version_num')::int / 10000 as major
  `
  return row?.major ?? 0
}

/** A file of a resource that can be opened. */
export interface NeededFile {
  resource: string
  id: string
  tenantId: string
  key: string
}

/** Files that must exist: of recordings, clips, transcripts, handouts and chat messages. */
export async function listNeededFiles(query: Query): Promise<NeededFile[]> {
  return query<NeededFile[]>`
    select resource, id, tenant_id as "tenantId", key
      from (
        select 'recording' as resource, id, tenant_id, storage_key as key
          from recordings where status = 'available'
        union all
        select 'recording', v.recording_id, r.tenant_id, v.storage_key
          from recording_voices v join recordings r on r.id = v.recording_id
        union all
        select 'processed recording', id, tenant_id, storage_key
          from processed_recordings where status = 'available'
        union all
        select 'clip', id, tenant_id, storage_key from clips
        union all
        select 'transcription', id, tenant_id, result_key from transcriptions where status = 'done'
        union
        select 'transcription', t.id, t.tenant_id, unnest(array[v.words_key, v.result_key])
          from transcription_revisions v
          join transcriptions t on t.id = v.transcription_id
        union all
        select 'handout', id, tenant_id, storage_key from handouts
        union all
        select 'handout', id, tenant_id, rendition_key from handouts
        union all
        select 'chat message', id, tenant_id, attachment_key from chat_messages
      ) as files
     where key is not null
     order by resource, id
  `
}

/** The keys of these files. */
export async function listNeededObjects(query: Query): Promise<string[]> {
  return (await listNeededFiles(query)).map(({ key }) => key)
}
