import type { ClipRequest } from '@interview-room/contract/clips.ts'
import { CLIPS_MAX } from '@interview-room/contract/limits.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Clock } from '../../../platform/lib/clock.ts'
import { refuseField } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import {
  refuseArchive,
  refuseBehindEnd,
  refuseEmptyRange,
  requireReady,
} from '../trims/refuse-untrimmable.ts'
import { makeClipRequest } from './clip-request.ts'
import type { Clip } from './clip.ts'
import { countClips, insertClip } from './store.ts'

/** The viewer who makes a clip or a reel; null for the tenant's backend. */
export type ClipMaker = {
  reference: string
  displayName: string
  watermark: string | null
} | null

const COMPOSED_ONLY = {
  field: 'recording_id',
  message: 'must be a recording with one video: one with a file for each participant has no clips',
}

/**
 * Orders a clip of a recording. Throws 400 INVALID_REQUEST for an empty range, 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE,
 * 422 VALIDATION_ERROR when the range ends after the recording, the recording is an archive, or it has the maximum number
 * of clips.
 */
export async function createClip(
  tx: Tx,
  { maker, clock, ...key }: RecordingKey & { maker: ClipMaker; clock: Clock },
  { start_sec: startSec, end_sec: endSec, title = null, tags = [] }: ClipRequest,
): Promise<Clip> {
  const range = { startSec, endSec }
  refuseEmptyRange(range, { start: 'start_sec', end: 'end_sec' })
  const locked = await lockRecording(tx, key)
  const recording = requireReady(locked)
  refuseArchive(recording, COMPOSED_ONLY)
  refuseBehindEnd(range, recording, 'end_sec')
  if ((await countClips(tx, recording.id)) >= CLIPS_MAX) {
    throw refuseField('VALIDATION_ERROR', {
      field: 'body',
      code: 'QUOTA_EXCEEDED',
      message: `a recording may have ${CLIPS_MAX} clips: delete one first`,
    })
  }
  const { seq } = await nextRoomMoment(tx, locked)
  const at = clock()
  const clip = await insertClip(tx, {
    id: uuidv7(at.getTime()),
    tenantId: recording.tenantId,
    recordingId: recording.id,
    seq,
    title,
    tags,
    ...range,
    viewerReference: maker?.reference ?? null,
    viewerName: maker?.displayName ?? null,
    roomId: null,
    reel: null,
    watermark: maker?.watermark ?? null,
    createdAt: at,
  })
  await enqueue(tx, makeClipRequest(clip))
  return clip
}
