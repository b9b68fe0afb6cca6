import type { RoomEventRequest } from '@interview-room/contract/live-moderation.ts'
import { refuseField } from '../../platform/lib/service-error.ts'

/** A moment in the room's recording, in seconds from its beginning. */
export interface PlaceInRecording {
  recordingId: string
  offsetSec: number
}

/** The fields of a marker besides its note, as in the room's log and the live stream. */
export interface Mark {
  is_private?: true
  /** The marked moment, if it differs from the time of posting. */
  marked_at?: string
  recording_id?: string
  offset_sec?: number
}

/** Throws 400 INVALID_REQUEST if another event has fields of a marker. */
export function refuseMarkerFields({ event_type: type, payload }: RoomEventRequest): void {
  if (type === 'marker') return
  for (const field of ['seconds_ago', 'is_private'] as const) {
    if (payload?.[field] === undefined) continue
    throw refuseField('INVALID_REQUEST', {
      field: `payload.${field}`,
      code: 'NOT_ALLOWED',
      message: 'is allowed only with event_type marker',
    })
  }
}

/** The moment that the marker marks. */
export function markedAt({ payload }: RoomEventRequest, now: Date): Date {
  return new Date(now.getTime() - (payload?.seconds_ago ?? 0) * 1000)
}

/** @param place undefined while nothing is recorded. */
export function markOf(
  { payload }: RoomEventRequest,
  { at, place }: { at: Date; place: PlaceInRecording | undefined },
): Mark {
  return {
    ...(payload?.is_private === true && { is_private: true }),
    ...((payload?.seconds_ago ?? 0) > 0 && { marked_at: at.toISOString() }),
    ...(place !== undefined && { recording_id: place.recordingId, offset_sec: place.offsetSec }),
  }
}
