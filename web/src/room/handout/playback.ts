import type { Presentation } from '@interview-room/contract/live-stream.ts'

export type Playback = NonNullable<NonNullable<Presentation>['playback']>

/** Less than this is not worth a jump in a picture that moves. */
const DRIFT_MAX_SEC = 1
/** Of one that stands still: less than a frame, and more than the microsecond to which browsers round a position. */
const STILL_DRIFT_MAX_SEC = 0.01

/** Seconds into the video at `nowMs` of the service's clock, within 0..`durationSec`. */
export function positionAt(playback: Playback, nowMs: number, durationSec: number): number {
  const elapsedSec = playback.is_playing ? (nowMs - Date.parse(playback.at)) / 1000 : 0
  // A clock that runs behind must not turn the video back.
  const positionSec = playback.position_sec + Math.max(0, elapsedSec)
  return Math.min(Math.max(0, positionSec), durationSec)
}

/** Where a video is, as far as the page knows it; its length is null until it has loaded so much of it. */
export interface VideoPlace {
  positionSec: number
  durationSec: number | null
}

/** At `nowMs` of the service's clock. `lengthSec`: as the browser says it, which may be no number. */
export function placeAt(
  playback: Playback,
  nowMs: number,
  lengthSec: number | undefined,
): VideoPlace {
  const durationSec = lengthSec !== undefined && Number.isFinite(lengthSec) ? lengthSec : null
  return { positionSec: positionAt(playback, nowMs, durationSec ?? Infinity), durationSec }
}

/** Whether a video is so far from where it should be that it has to jump. */
export function hasDrifted(
  actualSec: number,
  wantedSec: number,
  { is_playing }: Pick<Playback, 'is_playing'>,
): boolean {
  return Math.abs(actualSec - wantedSec) > (is_playing ? DRIFT_MAX_SEC : STILL_DRIFT_MAX_SEC)
}
