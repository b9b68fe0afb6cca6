import type { ProcessedRecordingBody } from '@interview-room/contract/recordings.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import { presentSignedUrl } from '../recordings/present.ts'
import type { ProcessedRecording } from './processed-recording.ts'

/** `upload` is returned once, to the caller that requested it. */
export function presentProcessed(
  processed: ProcessedRecording,
  upload?: SignedUrl,
): ProcessedRecordingBody {
  return {
    id: processed.id,
    recording_id: processed.recordingId,
    source: processed.source,
    trim_start_sec: processed.trimStartSec,
    trim_end_sec: processed.trimEndSec,
    status: processed.status,
    size: processed.sizeBytes,
    duration_sec: processed.durationSec,
    failure_reason: processed.failureReason,
    created_at: processed.createdAt.toISOString(),
    updated_at: processed.updatedAt.toISOString(),
    ...(upload && { upload: presentSignedUrl(upload) }),
  }
}
