import type { ClipBody } from '@interview-room/contract/clips.ts'
import type { ReelBody } from '@interview-room/contract/reels.ts'
import { type Clip, type Reel, recordingIdsOf } from './clip.ts'

export function presentClip(clip: Clip): ClipBody {
  return {
    id: clip.id,
    recording_id: clip.recordingId,
    title: clip.title,
    tags: clip.tags,
    start_sec: clip.startSec,
    end_sec: clip.endSec,
    ...presentFile(clip),
  }
}

export function presentReel({ roomId, reel, ...clip }: Reel): ReelBody {
  return {
    id: clip.id,
    room_id: roomId,
    recording_ids: recordingIdsOf({ ...clip, reel }),
    clip_ids: reel.parts.map(({ clipId }) => clipId),
    title: clip.title,
    title_card: reel.titleCard,
    captions: reel.captions,
    ...presentFile(clip),
  }
}

function presentFile(clip: Omit<Clip, 'roomId' | 'reel'>) {
  const { viewerReference: reference, viewerName: name } = clip
  return {
    viewer: reference === null || name === null ? null : { reference, name },
    status: clip.status,
    progress_percent: clip.progressPercent,
    size: clip.sizeBytes,
    duration_sec: clip.durationSec,
    failure_reason: clip.failureReason,
    created_at: clip.createdAt.toISOString(),
    updated_at: clip.updatedAt.toISOString(),
  }
}
