import type { Query } from '../../platform/db/db.ts'

/** Number of booked interviews that are neither closed nor cancelled and whose slot ends after this moment. */
export async function countOpenRooms(
  query: Query,
  { tenantId, endsAfter }: { tenantId: string; endsAfter: Date },
): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count
      from sessions s
      join rooms r on r.id = s.room_id
     where s.tenant_id = ${tenantId}
       and s.ends_at > ${endsAfter}
       and s.cancelled_at is null
       and r.closed_at is null
  `
  return row?.count ?? 0
}

/** Total size of recordings, the voices in them, transcripts, processed recordings, clips and handouts. */
export async function sumStoredBytes(query: Query, tenantId: string): Promise<number> {
  const [row] = await query<{ bytes: number }[]>`
    select ((select coalesce(sum(size_bytes), 0) from recordings
              where tenant_id = ${tenantId} and status = 'available')
          + (select coalesce(sum(v.size_bytes), 0)
               from recording_voices v join recordings r on r.id = v.recording_id
              where r.tenant_id = ${tenantId})
          + (select coalesce(sum(v.size_bytes), 0)
               from transcription_revisions v join transcriptions t on t.id = v.transcription_id
              where t.tenant_id = ${tenantId})
          + (select coalesce(sum(size_bytes), 0) from processed_recordings
              where tenant_id = ${tenantId} and status = 'available')
          + (select coalesce(sum(size_bytes), 0) from clips where tenant_id = ${tenantId})
          + (select coalesce(sum(size_bytes + rendition_bytes), 0) from handouts
              where tenant_id = ${tenantId}))::float8 as bytes
  `
  return row?.bytes ?? 0
}

/**
 * Expected size of the pending clips. It assumes that a clip has the same share of its recording's bytes as of its length.
 */
export async function sumExpectedBytes(query: Query, tenantId: string): Promise<number> {
  const [row] = await query<{ bytes: number }[]>`
    select coalesce(sum(r.size_bytes * (c.end_sec - c.start_sec) / nullif(r.duration_sec, 0)), 0) as bytes
      from clips c
      join recordings r on r.id = c.recording_id
     where c.tenant_id = ${tenantId} and c.status = 'pending'
  `
  return row?.bytes ?? 0
}
