import type { AccessPurpose } from '@interview-room/contract/access-log.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import type { RecordingKey } from './recording.ts'

/** The caller who asks for an address: the tenant's backend by an API key, or a viewer. */
export interface Accessor {
  apiKeyId: string
  /** Null for an API key. */
  viewer: { reference: string; jti: string; expiresAt: Date; watermark: string | null } | null
}

export interface DownloadAccess extends RecordingKey {
  accessor: Accessor
  /** Set if the address is for something made from the recording. */
  processedRecordingId?: string
  clipId?: string
  reelId?: string
  transcriptionId?: string
  /** A download by default. */
  purpose?: AccessPurpose
  issuedAt: Date
  expiresAt: Date
}

/** Records in the access log that these download URLs, at least one, were issued. The rows outlive the recording. */
export async function logDownloads(tx: Tx, accesses: readonly DownloadAccess[]): Promise<void> {
  for (const { accessor, ...access } of accesses) {
    const { apiKeyId, viewer } = accessor
    await tx`
      insert into download_accesses (tenant_id, recording_id, processed_recording_id, clip_id,
                                     reel_id, transcription_id, purpose, api_key_id, viewer_reference,
                                     viewer_token_id, issued_at, expires_at)
      values (${access.tenantId}, ${access.recordingId}, ${access.processedRecordingId ?? null},
              ${access.clipId ?? null}, ${access.reelId ?? null}, ${access.transcriptionId ?? null},
              ${access.purpose ?? 'download'},
              ${viewer === null ? apiKeyId : null}, ${viewer?.reference ?? null},
              ${viewer?.jti ?? null}, ${access.issuedAt}, ${access.expiresAt})
    `
  }
}

/** Deletes the oldest rows from more than `keptDays` days ago. Returns their number. */
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

export interface LoggedAccess {
  id: bigint
  recordingId: string
  processedRecordingId: string | null
  clipId: string | null
  reelId: string | null
  transcriptionId: string | null
  purpose: AccessPurpose
  apiKeyId: string | null
  viewerReference: string | null
  viewerTokenId: string | null
  issuedAt: Date
  expiresAt: Date
}

export interface AccessLogPage {
  tenantId: string
  recordingId: string | undefined
  /** The page continues with entries older than the one with this id. */
  before: bigint | undefined
  limit: number
}

/** Newest first. Reads one more than the page contains, if there are more. */
export async function listAccesses(
  query: Query,
  { tenantId, recordingId, before, limit }: AccessLogPage,
): Promise<LoggedAccess[]> {
  const [end, recording] = [before === undefined ? null : String(before), recordingId ?? null]
  return query<LoggedAccess[]>`
    select id, recording_id as "recordingId", processed_recording_id as "processedRecordingId",
           clip_id as "clipId", reel_id as "reelId", transcription_id as "transcriptionId", purpose, api_key_id as "apiKeyId",
           viewer_reference as "viewerReference", viewer_token_id as "viewerTokenId", issued_at as "issuedAt", expires_at as "expiresAt"
      from download_accesses
     where tenant_id = ${tenantId}
       and (${end}::bigint is null or id < ${end}::bigint)
       and (${recording}::uuid is null or recording_id = ${recording}::uuid)
     order by id desc
     limit ${limit + 1}
  `
}
