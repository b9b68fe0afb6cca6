import { MEDIA_ROOM_SLACK_SEC, SLOT_MAX_SEC } from '@interview-room/contract/limits.ts'
import type { JobRequest } from '../../platform/jobs/job.ts'
import type { MediaRoomSpec } from '../../platform/ports/media.ts'

interface Slot {
  startsAt: Date
  endsAt: Date
}

/** The provider's limit of 32 bits. A slot centuries ahead is odd, but valid. */
const EMPTY_TIMEOUT_MAX_SEC = 2 ** 31 - 1

/**
 * The media room of a room, named by the room's id. It may stand empty for the whole slot or the time left until its end,
 * whichever is longer, plus 35 minutes. So a room keeps one sid.
 */
export function mediaRoomSpec(
  room: { id: string; tenantId?: string; session: Slot | null },
  now: Date,
): MediaRoomSpec {
  return {
    name: room.id,
    tenantId: room.tenantId,
    emptyTimeoutSec: Math.min(
      longestEmptySec(room.session, now) + MEDIA_ROOM_SLACK_SEC,
      EMPTY_TIMEOUT_MAX_SEC,
    ),
    metadata: { room_id: room.id },
  }
}

export const CLOSE_MEDIA_ROOM = 'close-media-room'

/** Ends the media room of a closed room or of an undone booking. */
export function closeMediaRoomRequest(roomId: string): JobRequest {
  return { kind: CLOSE_MEDIA_ROOM, key: roomId, payload: { roomId } }
}

function longestEmptySec(session: Slot | null, now: Date): number {
  if (session === null) return SLOT_MAX_SEC
  const endMs = session.endsAt.getTime()
  return Math.ceil(Math.max(endMs - session.startsAt.getTime(), endMs - now.getTime()) / 1000)
}
