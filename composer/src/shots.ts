import { Columns, type Rows } from './columns.ts'
import type { VideoUnit } from './track-media.ts'

/** A frame of a track with the frame of the recording at which it appears. */
export interface PlacedUnit {
  unit: VideoUnit
  frame: number
}

/** Frames of one size that can be decoded in one run. */
export interface Shot {
  width: number
  height: number
  /** The first visible frame. */
  fromFrame: number
  /** All frames to decode, beginning with a key frame. */
  units: Rows<PlacedUnit>
}

export interface ShotPlan {
  frameOf: (ms: number) => number
  /** Uses only units that arrived since then. Earlier ones belong to a picture that was muted meanwhile. */
  sinceMs: number
  fromFrame: number
  toFrame: number
}

/** The units to decode to show a track over a range of frames. */
export function planShots(units: Rows<VideoUnit>, plan: ShotPlan): Shot[] {
  const { fromFrame } = plan
  const shots: (Shot & { units: PlacedUnits })[] = []
  for (const { index, frame, unit } of shown(units, plan, firstDecoded(units, plan))) {
    const { width, height, isKeyFrame } = unit
    const last = shots.at(-1)
    if (last?.width === width && last.height === height) last.units.push(index, frame)
    else if (isKeyFrame) {
      const own = new PlacedUnits(units)
      own.push(index, frame)
      shots.push({ width, height, fromFrame: Math.max(frame, fromFrame), units: own })
    }
  }
  return shots
}

/** The last key frame before the first visible frame. */
function firstDecoded(units: Rows<VideoUnit>, plan: ShotPlan): number {
  let first: number | undefined
  let keyFrame: number | undefined
  let found: number | undefined
  for (const { index, frame, unit } of shown(units, plan, 0)) {
    first ??= index
    if (unit.isKeyFrame) keyFrame = index
    if (frame <= plan.fromFrame) found = keyFrame
  }
  return found ?? first ?? 0
}

/** In order, up to the first one that is too late to be shown. */
function* shown(
  units: Rows<VideoUnit>,
  { frameOf, sinceMs, toFrame }: ShotPlan,
  from: number,
): Generator<PlacedUnit & { index: number }> {
  for (let index = from; index < units.length; index++) {
    const unit = units.at(index) as VideoUnit
    if (unit.atMs < sinceMs) continue
    const frame = frameOf(unit.timeMs)
    if (frame >= toFrame) return
    yield { index, unit, frame }
  }
}

class PlacedUnits implements Rows<PlacedUnit> {
  readonly #units: Rows<VideoUnit>
  readonly #places = new Columns<{ index: number; frame: number }>({
    index: 'count',
    frame: 'exact',
  })

  constructor(units: Rows<VideoUnit>) {
    this.#units = units
  }

  get length(): number {
    return this.#places.length
  }

  push(index: number, frame: number): void {
    this.#places.push({ index, frame })
  }

  at(index: number): PlacedUnit | undefined {
    const place = this.#places.at(index)
    return place && this.#of(place)
  }

  *[Symbol.iterator](): Generator<PlacedUnit> {
    for (const place of this.#places) yield this.#of(place)
  }

  #of({ index, frame }: { index: number; frame: number }): PlacedUnit {
    return { unit: this.#units.at(index) as VideoUnit, frame }
  }
}
