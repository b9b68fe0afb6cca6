import type { RecordingBody, SignedUrlBody } from '@interview-room/contract/recordings.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import type { Recording } from './recording.ts'

/** @param estimate the time when its file is likely to exist, if known. */
export function presentRecording(recording: Recording, estimate: Date | undefined): RecordingBody {
  return {
    id: recording.id,
    room_id: recording.roomId,
    provider_archive_id: recording.providerArchiveId,
    status: recording.status,
    output_mode: recording.outputMode,
    size: recording.sizeBytes,
    duration_sec: recording.durationSec,
    estimated_available_at: estimate?.toISOString() ?? null,
    created_at: recording.createdAt.toISOString(),
    updated_at: recording.updatedAt.toISOString(),
  }
}

export function presentSignedUrl({ url, expiresAt }: SignedUrl): SignedUrlBody {
  return { url, expires_at: expiresAt.toISOString() }
}
