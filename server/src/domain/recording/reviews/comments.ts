import { COMMENTS_MAX } from '@interview-room/contract/limits.ts'
import type { CommentPatch, CommentRequest } from '@interview-room/contract/reviews.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { cleanFreeText } from '../../../platform/lib/free-text.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { isReady, type ReadyRecording, type RecordingKey } from '../recordings/recording.ts'
import { refuseBehindEnd, refuseEmptyRange } from '../trims/refuse-untrimmable.ts'
import {
  type Comment,
  type CommentKey,
  countComments,
  deleteComment,
  findComment,
  insertComment,
  updateComment,
} from './store.ts'
import type { Viewer } from './viewer.ts'

export { listComments } from './store.ts'

/**
 * Adds a viewer's comment to a recording. Throws 400 INVALID_REQUEST for a range that is none, 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE, 422 VALIDATION_ERROR for a place after its end, an answer to an answer or to nothing, or when it has the
 * maximum number of comments.
 */
export async function addComment(
  tx: Tx,
  { viewer, recordingId }: { viewer: Viewer; recordingId: string },
  {
    text,
    offset_sec: offsetSec = null,
    end_sec: endSec = null,
    reply_to: replyTo = null,
  }: CommentRequest,
): Promise<Comment> {
  const { tenantId } = viewer
  const recording = await lockReviewed(tx, { tenantId, recordingId })
  refuseWrongPlace(recording, { offsetSec, endSec })
  if (replyTo !== null) {
    if (offsetSec !== null) throw refuseAnswer('offset_sec', 'must be absent in an answer')
    const answered = await findComment(tx, { tenantId, recordingId, commentId: replyTo })
    if (answered === undefined || answered.replyTo !== null) {
      throw refuseAnswer('reply_to', 'must be a comment on this recording that answers none')
    }
  }
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
    endSec,
    replyTo,
    text: cleanFreeText(text),
    resolvedAt: null,
    createdAt: at,
    updatedAt: null,
  }
  await insertComment(tx, { ...comment, tenantId })
  return comment
}

/**
 * Changes a viewer's own comment, and settles or reopens anybody's. Throws the same as `addComment`, and 404 NOT_FOUND for
 * any other change of another author's comment.
 */
export async function editComment(
  tx: Tx,
  { viewer, recordingId, commentId }: { viewer: Viewer; recordingId: string; commentId: string },
  { is_resolved: isResolved, ...own }: CommentPatch,
): Promise<Comment> {
  const key = { tenantId: viewer.tenantId, recordingId, commentId }
  const recording = await lockReviewed(tx, key)
  const before = await findComment(tx, key)
  const isOwn = Object.keys(own).length > 0
  if (before === undefined || (isOwn && before.viewerReference !== viewer.reference)) {
    throw new ServiceError('NOT_FOUND')
  }
  const { at } = await nextRoomMoment(tx, recording)
  const changed = { ...before }
  if (isOwn) Object.assign(changed, ownPartOf(before, own), { updatedAt: at })
  if (isResolved !== undefined) changed.resolvedAt = isResolved ? (before.resolvedAt ?? at) : null
  refuseWrongPlace(recording, changed)
  await updateComment(tx, changed)
  return changed
}

/** The members that only the author changes. A new moment without an end is no range any more. */
function ownPartOf(
  before: Comment,
  { text, offset_sec: offsetSec, end_sec: endSec }: Omit<CommentPatch, 'is_resolved'>,
): Pick<Comment, 'text' | 'offsetSec' | 'endSec'> {
  return {
    text: text === undefined ? before.text : cleanFreeText(text),
    offsetSec: offsetSec === undefined ? before.offsetSec : offsetSec,
    endSec: endSec === undefined && offsetSec === undefined ? before.endSec : (endSec ?? null),
  }
}

/** Deletes any comment for an API key, and a viewer's own for a viewer. Throws 404 NOT_FOUND for anybody else's. */
export async function removeComment(
  tx: Tx,
  { viewer, ...key }: CommentKey & { viewer: Viewer | null },
): Promise<void> {
  await lockRecording(tx, key)
  if (await deleteComment(tx, { ...key, author: viewer?.reference })) {
    throw new ServiceError('NOT_FOUND')
  }
}

/** Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE. */
async function lockReviewed(tx: Tx, key: RecordingKey) {
  const recording = await lockRecording(tx, key)
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  return recording
}

/** Throws 400 INVALID_REQUEST for a range that is none, and 422 VALIDATION_ERROR for a place after the end. */
function refuseWrongPlace(
  recording: ReadyRecording,
  { offsetSec, endSec }: Pick<Comment, 'offsetSec' | 'endSec'>,
): void {
  if (offsetSec !== null) refuseBehindEnd({ endSec: offsetSec }, recording, 'offset_sec')
  if (endSec === null) return
  const range = { startSec: offsetSec ?? endSec, endSec }
  refuseEmptyRange(range, { start: 'offset_sec', end: 'end_sec' })
  refuseBehindEnd(range, recording, 'end_sec')
}

function refuseAnswer(field: string, message: string): ServiceError {
  return refuseField('VALIDATION_ERROR', { field, code: 'NOT_ALLOWED', message })
}
