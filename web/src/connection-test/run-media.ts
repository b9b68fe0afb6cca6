import type { StreamFrameRate, StreamResolution } from '@interview-room/contract/vocabulary.ts'
import type { VideoRequest } from '../connection/test-connection.ts'
import { VIDEO_BITRATE_BPS } from '../connection/video-bitrate.ts'
import { openHum, openNoise } from './generated-audio.ts'
import { type GeneratedVideo, openTalkingVideo } from './generated-video.ts'
import type { RunMedia } from './measured-run.ts'

/**
 * Each one takes half a megabit per second, and a third less at high loss. That is more than the best picture needs.
 */
const FILLING_COUNT = 8
/** The rest is for the voice and other traffic of the connection. */
const BANDWIDTH_SHARE = 0.8
const VOICE_KBPS = 40
const BITRATE_MIN_BPS = 30_000

export interface RunMediaWish {
  resolution: StreamResolution
  frameRate: StreamFrameRate
  /** The person's own media, if the test is recorded. */
  own: { voice: MediaStreamTrack; picture: MediaStreamTrack | null } | null
}

/** The media of the measured run. `stop` ends all generated tracks. */
export function openRunMedia({
  resolution,
  frameRate,
  own,
}: RunMediaWish): RunMedia & { stop(): void } {
  const hum = openHum()
  const noise = openNoise()
  const filling = Array.from({ length: FILLING_COUNT }, () => noise.track.clone())
  const [widthPx = 640, heightPx = 480] = resolution.split('x').map(Number)
  let generated: GeneratedVideo | undefined
  return {
    voice: hum.track,
    ownVoice: own?.voice ?? null,
    filling,
    ordinary: (capacityKbps): VideoRequest => {
      generated ??= openTalkingVideo({ widthPx, heightPx, frameRate })
      return {
        track: own?.picture ?? generated.track,
        bitrateMaxBps: ordinaryBitrateBps(resolution, capacityKbps),
        frameRate,
      }
    },
    stop: () => {
      for (const each of filling) each.stop()
      for (const each of [hum, noise, generated]) each?.stop()
    },
  }
}

/** The bitrate of an interview at this size, or less if the connection has no room for it. */
export function ordinaryBitrateBps(
  resolution: StreamResolution,
  capacityKbps: number | null,
): number {
  const wantedBps = VIDEO_BITRATE_BPS[resolution]
  if (capacityKbps === null) return wantedBps
  const leftBps = 1000 * (BANDWIDTH_SHARE * capacityKbps - VOICE_KBPS)
  return Math.round(Math.max(BITRATE_MIN_BPS, Math.min(wantedBps, leftBps)))
}
