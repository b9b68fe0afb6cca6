import type { Query, Tx } from '../../../platform/db/db.ts'
import type { RecordingKey } from './recording.ts'

export interface DownloadAccess extends RecordingKey {
  /** What was made of the recording, when that was asked for and not the recording itself. */
  processedRecordingId?: string
  transcriptionId?: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * Notes in the access log that these download URLs were issued: a row for each, and at least one.
 * The rows outlive the recording.
 */
export async function logDownloads(tx: Tx, accesses: readonly DownloadAccess[]): Promise<void> {
  for (const access of accesses) {
    await tx`
      insert into download_accesses (tenant_id, recording_id, processed_recording_id,
                                     transcription_id, issued_at, expires_at)
      values (${access.tenantId}, ${access.recordingId}, ${access.processedRecordingId ?? null},
              ${access.transcriptionId ?? null}, ${access.issuedAt}, ${access.expiresAt})
    `
  }
}

/** The oldest rows of more than so many days ago; answers how many. */
export async function deleteOldAccesses(
  query: Query,
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from download_accesses
     where id = any(array(
             select id from download_accesses
              where issued_at < statement_timestamp() - make_interval(days => ${keptDays})
              order by issued_at
              limit ${limit}))
  `
  return count
}
