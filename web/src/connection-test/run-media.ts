import type { StreamFrameRate, StreamResolution } from '@interview-room/contract/vocabulary.ts'
import type { PictureWish } from '../connection/test-line.ts'
import { VIDEO_BITRATE_BPS } from '../connection/video-bitrate.ts'
import {
  type GeneratedPicture,
  openNoise,
  openTalkingPicture,
  type PictureSize,
} from './generated-picture.ts'
import { openHum } from './generated-voice.ts'
import type { RunMedia } from './measured-run.ts'

/** What is looked for in a line: the best picture of an interview needs less. */
const FILLING_BITRATE_BPS = 3_000_000
/** Small, because it is the bits that count: a large one would measure the processor. */
const FILLING_SIZE: PictureSize = { widthPx: 320, heightPx: 240, frameRate: 30 }
/** Left to the voice and to whatever else is on the line. */
const LINE_SHARE = 0.8
const VOICE_KBPS = 40
const BITRATE_MIN_BPS = 30_000

export interface RunMediaWish {
  resolution: StreamResolution
  frameRate: StreamFrameRate
  /** The person's own, where the test is recorded. */
  own: { voice: MediaStreamTrack; picture: MediaStreamTrack | null } | null
}

/** What the measured run sends; `stop` ends all that was generated. */
export function openRunMedia({
  resolution,
  frameRate,
  own,
}: RunMediaWish): RunMedia & { stop(): void } {
  const hum = openHum()
  const opened: GeneratedPicture[] = []
  const keep = (picture: GeneratedPicture): MediaStreamTrack => {
    opened.push(picture)
    return picture.track
  }
  const [widthPx = 640, heightPx = 480] = resolution.split('x').map(Number)
  return {
    voice: hum.track,
    ownVoice: own?.voice ?? null,
    filling: () => ({
      track: keep(openNoise(FILLING_SIZE)),
      bitrateMaxBps: FILLING_BITRATE_BPS,
      frameRate: FILLING_SIZE.frameRate,
    }),
    ordinary: (outgoingKbps): PictureWish => {
      for (const picture of opened.splice(0)) picture.stop()
      const generated = () => keep(openTalkingPicture({ widthPx, heightPx, frameRate }))
      return {
        track: own?.picture ?? generated(),
        bitrateMaxBps: ordinaryBitrateBps(resolution, outgoingKbps),
        frameRate,
      }
    },
    stop: () => {
      hum.stop()
      for (const picture of opened.splice(0)) picture.stop()
    },
  }
}

/** What an interview sends at this size, or what the line leaves for it. */
export function ordinaryBitrateBps(
  resolution: StreamResolution,
  outgoingKbps: number | null,
): number {
  const wantedBps = VIDEO_BITRATE_BPS[resolution]
  if (outgoingKbps === null) return wantedBps
  const leftBps = 1000 * (LINE_SHARE * outgoingKbps - VOICE_KBPS)
  return Math.round(Math.max(BITRATE_MIN_BPS, Math.min(wantedBps, leftBps)))
}
