import { COMMENTS_MAX } from '@interview-room/contract/limits.ts'
import type { CommentPatch, CommentRequest } from '@interview-room/contract/reviews.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { cleanFreeText } from '../../../platform/lib/free-text.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'
import {
  changeComment,
  type Comment,
  countComments,
  deleteComment,
  insertComment,
} from './store.ts'
import type { Viewer } from './viewer.ts'

export { listComments } from './store.ts'

/**
 * Adds a viewer's comment to a recording. Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE, 422 VALIDATION_ERROR for a
 * position after its end, or when it has the maximum number of comments.
 */
export async function addComment(
  tx: Tx,
  { viewer, recordingId }: { viewer: Viewer; recordingId: string },
  { text, offset_sec: offsetSec = null }: CommentRequest,
): Promise<Comment> {
  const { tenantId } = viewer
  const recording = await lockReviewed(tx, { tenantId, recordingId }, offsetSec)
  if ((await countComments(tx, recordingId)) >= COMMENTS_MAX) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'body',
      code: 'QUOTA_EXCEEDED',
      message: `a recording may have ${COMMENTS_MAX} comments`,
    })
  }
  const { seq, at } = await nextRoomMoment(tx, recording)
  const comment = {
    id: uuidv7(at.getTime()),
    seq,
    recordingId,
    viewerReference: viewer.reference,
    viewerName: viewer.displayName,
    offsetSec,
    text: cleanFreeText(text),
    createdAt: at,
    updatedAt: null,
  }
  await insertComment(tx, { ...comment, tenantId })
  return comment
}

/** Changes a viewer's own comment. Throws the same as `addComment`, and 404 NOT_FOUND for anybody else's. */
export async function editComment(
  tx: Tx,
  { viewer, recordingId, commentId }: { viewer: Viewer; recordingId: string; commentId: string },
  { text, offset_sec: offsetSec }: CommentPatch,
): Promise<Comment> {
  const { tenantId, reference: author } = viewer
  const recording = await lockReviewed(tx, { tenantId, recordingId }, offsetSec ?? null)
  const { at } = await nextRoomMoment(tx, recording)
  const cleaned = text === undefined ? undefined : cleanFreeText(text)
  const key = { tenantId, recordingId, commentId, author }
  const changed = await changeComment(tx, key, { text: cleaned, offsetSec, at })
  if (changed === undefined) throw new ServiceError('NOT_FOUND')
  return changed
}

/** Deletes any comment for an API key, and a viewer's own for a viewer. Throws 404 NOT_FOUND for anybody else's. */
export async function removeComment(
  tx: Tx,
  { viewer, ...key }: RecordingKey & { viewer: Viewer | null; commentId: string },
): Promise<void> {
  await lockRecording(tx, key)
  if (await deleteComment(tx, { ...key, author: viewer?.reference })) {
    throw new ServiceError('NOT_FOUND')
  }
}

/** Throws 409 RECORDING_NOT_AVAILABLE, and 422 VALIDATION_ERROR for a place after the end. */
async function lockReviewed(tx: Tx, key: RecordingKey, offsetSec: number | null) {
  const recording = await lockRecording(tx, key)
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  if (offsetSec !== null && offsetSec > recording.durationSec) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'offset_sec',
      code: 'EXCEEDS_DURATION',
      message: 'must not be after the end of the recording',
    })
  }
  return recording
}
