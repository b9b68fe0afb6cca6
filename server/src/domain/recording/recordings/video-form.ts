import type { RecordedRoom } from './running-store.ts'

/** Bit rate for a picture of this size, in kbit/s. */
const VIDEO_KBPS = { '640x480': 1000, '1280x720': 2500 } as const
/** Lowest frame rate of a composed picture. A single stream may send fewer frames. */
const FRAME_RATE_MIN = 15

/** Size, frame rate and bit rate of a recording's picture, from the room's settings. */
export function videoFormOf({
  archiveResolution,
  streamFrameRate,
}: Pick<RecordedRoom, 'archiveResolution' | 'streamFrameRate'>) {
  const [width, height] = archiveResolution.split('x').map(Number) as [number, number]
  const frameRate = Math.max(streamFrameRate, FRAME_RATE_MIN)
  return { width, height, frameRate, videoKbps: VIDEO_KBPS[archiveResolution] }
}
