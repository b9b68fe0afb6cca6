import { REEL_CARD_SEC, REEL_MAX_SEC, REELS_MAX } from '@interview-room/contract/limits.ts'
import type { ReelRequest } from '@interview-room/contract/reels.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Clock } from '../../../platform/lib/clock.ts'
import { refuseField, ServiceError } from '../../../platform/lib/service-error.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { nextRoomMoment } from '../../room-log/room-clock.ts'
import { findNewestDone } from '../transcriptions/read-transcriptions.ts'
import { makeClipRequest } from './clip-request.ts'
import { type Clip, type Reel, recordingIdsOf } from './clip.ts'
import type { ClipMaker } from './create-clip.ts'
import { countReels, findClipsOfRoom, insertClip } from './store.ts'

interface ReelOrder {
  tenantId: string
  roomId: string
  maker: ClipMaker
  /** The only recording that the maker may see. */
  recordingId: string | undefined
  clock: Clock
}

/**
 * Orders a reel of clips of a room. Throws 404 NOT_FOUND, 409 CLIP_NOT_AVAILABLE for a clip without a file, and 422
 * VALIDATION_ERROR for one that the room does not have, for captions without a transcription, a reel that is too long, and
 * beyond the maximum number.
 */
export async function createReel(
  tx: Tx,
  { tenantId, roomId, maker, recordingId, clock }: ReelOrder,
  { clip_ids: clipIds, title = null, title_card: titleCard = null, captions = 'none' }: ReelRequest,
): Promise<Reel> {
  const room = await lockRoom(tx, { tenantId, roomId })
  const clips = await clipsInOrder(tx, { roomId, clipIds, recordingId })
  const parts = clips.map(({ id: clipId, ...clip }) => {
    return { clipId, recordingId: clip.recordingId, startSec: clip.startSec, endSec: clip.endSec }
  })
  const [first] = parts
  if (first === undefined) throw new Error('the schema asks for a clip')
  const cardSec = titleCard === null ? 0 : REEL_CARD_SEC
  const lengthSec = parts.reduce((sum, { startSec, endSec }) => sum + endSec - startSec, cardSec)
  if (lengthSec > REEL_MAX_SEC) {
    throw refuseReel(
      'clip_ids',
      'TOO_LONG',
      `must be shorter than ${REEL_MAX_SEC} seconds together`,
    )
  }
  if ((await countReels(tx, roomId)) >= REELS_MAX) {
    throw refuseReel(
      'body',
      'QUOTA_EXCEEDED',
      `a room may have ${REELS_MAX} reels: delete one first`,
    )
  }
  const plan = { recordingId: first.recordingId, reel: { captions, titleCard, parts } }
  if (captions !== 'none') await refuseWithoutWords(tx, recordingIdsOf(plan))
  const { seq } = await nextRoomMoment(tx, room)
  const at = clock()
  const reel = await insertClip(tx, {
    id: uuidv7(at.getTime()),
    tenantId,
    ...plan,
    roomId,
    seq,
    title,
    tags: [],
    startSec: 0,
    endSec: lengthSec,
    watermark: maker?.watermark ?? null,
    viewerReference: maker?.reference ?? null,
    viewerName: maker?.displayName ?? null,
    createdAt: at,
  })
  await enqueue(tx, makeClipRequest(reel))
  return reel as Reel
}

async function clipsInOrder(
  tx: Tx,
  {
    roomId,
    clipIds,
    recordingId,
  }: { roomId: string; clipIds: readonly string[]; recordingId: string | undefined },
): Promise<Clip[]> {
  const found = await findClipsOfRoom(tx, { roomId, clipIds })
  const clips = clipIds.map((id) => found.find((clip) => clip.id === id.toLowerCase()))
  return clips.map((clip) => {
    const isSeen = recordingId === undefined || clip?.recordingId === recordingId
    if (clip === undefined || !isSeen) {
      throw refuseReel('clip_ids', 'NOT_ALLOWED', 'must be clips of recordings of this room')
    }
    if (clip.status !== 'available') throw new ServiceError('CLIP_NOT_AVAILABLE')
    return clip
  })
}

async function refuseWithoutWords(tx: Tx, recordingIds: readonly string[]): Promise<void> {
  for (const recordingId of recordingIds) {
    if ((await findNewestDone(tx, recordingId)) !== undefined) continue
    const message = 'must be none unless every recording has a transcription that is done'
    throw refuseReel('captions', 'NOT_ALLOWED', message)
  }
}

function refuseReel(
  field: string,
  code: 'NOT_ALLOWED' | 'QUOTA_EXCEEDED' | 'TOO_LONG',
  message: string,
): ServiceError {
  return refuseField('VALIDATION_ERROR', { field, code, message })
}
