import type { Tx } from '../db/db.ts'
import type { RecordingKey } from './recording.ts'

export interface DownloadAccess extends RecordingKey {
  /** Null when the recording itself was asked for. */
  processedRecordingId: string | null
  issuedAt: Date
  expiresAt: Date
}

/** Notes in the access log that a download URL was issued. The row outlives the recording. */
export async function logDownload(tx: Tx, access: DownloadAccess): Promise<void> {
  await tx`
    insert into download_accesses (tenant_id, recording_id, processed_recording_id, issued_at,
                                   expires_at)
    values (${access.tenantId}, ${access.recordingId}, ${access.processedRecordingId},
            ${access.issuedAt}, ${access.expiresAt})
  `
}
