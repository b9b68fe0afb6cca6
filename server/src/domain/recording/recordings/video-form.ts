import type { RecordedRoom } from './running-store.ts'

/** What a picture of this size needs, in kbit/s. */
const VIDEO_KBPS = { '640x480': 1000, '1280x720': 2500 } as const
/** Movement of a mixed picture; a single stream may send fewer frames. */
const FRAME_RATE_MIN = 15

/** The form of a recording's picture, as the room was booked. */
export function videoFormOf({
  archiveResolution,
  streamFrameRate,
}: Pick<RecordedRoom, 'archiveResolution' | 'streamFrameRate'>) {
  const [width, height] = archiveResolution.split('x').map(Number) as [number, number]
  const frameRate = Math.max(streamFrameRate, FRAME_RATE_MIN)
  return { width, height, frameRate, videoKbps: VIDEO_KBPS[archiveResolution] }
}
