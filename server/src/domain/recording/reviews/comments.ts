import { COMMENTS_MAX } from '@interview-room/contract/limits.ts'
import type { CommentRequest } from '@interview-room/contract/reviews.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { cleanFreeText } from '../../../platform/lib/free-text.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { isReady } from '../recordings/recording.ts'
import { type Comment, countComments, insertComment } from './store.ts'
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
  const recording = await lockRecording(tx, { tenantId, recordingId })
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  if (offsetSec !== null && offsetSec > recording.durationSec) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'offset_sec',
      code: 'EXCEEDS_DURATION',
      message: 'must not be after the end of the recording',
    })
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
    text: cleanFreeText(text),
    createdAt: at,
  }
  await insertComment(tx, { ...comment, tenantId })
  return comment
}
