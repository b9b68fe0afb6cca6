import type { Tx } from '../db/db.ts'
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
  const rows = accesses.map((access) => ({
    tenant_id: access.tenantId,
    recording_id: access.recordingId,
    processed_recording_id: access.processedRecordingId ?? null,
    transcription_id: access.transcriptionId ?? null,
    issued_at: access.issuedAt,
    expires_at: access.expiresAt,
  }))
  await tx`insert into download_accesses ${tx(rows)}`
}
