import type { CommentBody } from '@interview-room/contract/reviews.ts'
import type { Comment } from './store.ts'

export function presentComment(comment: Comment): CommentBody {
  return {
    id: comment.id,
    recording_id: comment.recordingId,
    viewer: { reference: comment.viewerReference, name: comment.viewerName },
    offset_sec: comment.offsetSec,
    end_sec: comment.endSec,
    reply_to: comment.replyTo,
    text: comment.text,
    is_resolved: comment.resolvedAt !== null,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt?.toISOString() ?? null,
  }
}
