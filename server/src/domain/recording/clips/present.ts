import type { ClipBody } from '@interview-room/contract/clips.ts'
import type { Clip } from './clip.ts'

export function presentClip(clip: Clip): ClipBody {
  const { viewerReference: reference, viewerName: name } = clip
  return {
    id: clip.id,
    recording_id: clip.recordingId,
    title: clip.title,
    tags: clip.tags,
    start_sec: clip.startSec,
    end_sec: clip.endSec,
    viewer: reference === null || name === null ? null : { reference, name },
    status: clip.status,
    size: clip.sizeBytes,
    duration_sec: clip.durationSec,
    failure_reason: clip.failureReason,
    created_at: clip.createdAt.toISOString(),
    updated_at: clip.updatedAt.toISOString(),
  }
}
