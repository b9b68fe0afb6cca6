import type { StreamResolution } from '@interview-room/contract/vocabulary.ts'

/** Enough for a face at the room's size. With audio the sum stays under 1 Mbps at 640x480. */
export const VIDEO_BITRATE_BPS: Record<StreamResolution, number> = {
  '320x240': 180_000,
  '640x480': 600_000,
  '1280x720': 1_500_000,
}
