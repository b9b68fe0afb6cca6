import type { VideoUnit } from './track-media.ts'

/** A frame of a track with the frame of the recording from which on it is shown. */
export interface PlacedUnit {
  unit: VideoUnit
  frame: number
}

/** Frames of one size that can be decoded in one go. */
export interface Shot {
  width: number
  height: number
  /** The first frame that is shown. */
  fromFrame: number
  /** All that must be decoded, from a key frame on. */
  units: readonly PlacedUnit[]
}

export interface ShotPlan {
  frameOf: (ms: number) => number
  /** Arrived since then: what came before belongs to a picture that was muted meanwhile. */
  sinceMs: number
  fromFrame: number
  toFrame: number
}

/** What is decoded to show a track over a range of frames. */
export function planShots(units: readonly VideoUnit[], plan: ShotPlan): Shot[] {
  const { frameOf, sinceMs, fromFrame, toFrame } = plan
  const placed = units
    .filter(({ atMs }) => atMs >= sinceMs)
    .map((unit) => ({ unit, frame: frameOf(unit.timeMs) }))
  const end = placed.findIndex(({ frame }) => frame >= toFrame)
  const until = end === -1 ? placed.length : end
  const shownFrom = placed.findLastIndex(({ frame }, i) => i < until && frame <= fromFrame)
  const start = keyFrameBefore(placed, Math.max(0, shownFrom))

  const shots: { width: number; height: number; fromFrame: number; units: PlacedUnit[] }[] = []
  for (const one of placed.slice(start, until)) {
    const { width, height, isKeyFrame } = one.unit
    const last = shots.at(-1)
    if (last?.width === width && last.height === height) last.units.push(one)
    else if (isKeyFrame) {
      shots.push({ width, height, fromFrame: Math.max(one.frame, fromFrame), units: [one] })
    }
  }
  return shots
}

function keyFrameBefore(placed: readonly PlacedUnit[], index: number): number {
  const found = placed.findLastIndex(({ unit }, i) => i <= index && unit.isKeyFrame)
  return Math.max(0, found)
}
