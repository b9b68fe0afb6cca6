import type { Presentation } from '@interview-room/contract/live-stream.ts'

export type Playback = NonNullable<NonNullable<Presentation>['playback']>

/** In a playing video, a smaller deviation is not worth a jump. */
const DRIFT_MAX_SEC = 1
/**
 * The limit for a paused video: less than a frame, and more than the microsecond to which browsers round a position.
 */
const STILL_DRIFT_MAX_SEC = 0.01

/** Seconds into the video at `nowMs` of the service's clock, within 0..`durationSec`. */
export function positionAt(playback: Playback, nowMs: number, durationSec: number): number {
  const elapsedSec = playback.is_playing ? (nowMs - Date.parse(playback.at)) / 1000 : 0
  // A clock that is slow must not move the video backwards.
  const positionSec = playback.position_sec + Math.max(0, elapsedSec)
  return Math.min(Math.max(0, positionSec), durationSec)
}

/** The position in a video as far as the page knows. The length is null until the metadata is loaded. */
export interface VideoPlace {
  positionSec: number
  durationSec: number | null
}

/** The position at `nowMs` of the service's clock. `lengthSec` comes from the browser and may be NaN. */
export function placeAt(
  playback: Playback,
  nowMs: number,
  lengthSec: number | undefined,
): VideoPlace {
  const durationSec = lengthSec !== undefined && Number.isFinite(lengthSec) ? lengthSec : null
  return { positionSec: positionAt(playback, nowMs, durationSec ?? Infinity), durationSec }
}

/** True if the video is so far from the wanted position that it has to jump. */
export function hasDrifted(
  actualSec: number,
  wantedSec: number,
  { is_playing }: Pick<Playback, 'is_playing'>,
): boolean {
  return Math.abs(actualSec - wantedSec) > (is_playing ? DRIFT_MAX_SEC : STILL_DRIFT_MAX_SEC)
}
