import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import type { Span } from './spans.ts'

/** A stretch of a recording, and where its file has it. */
export interface PlacedSpan extends Span {
  offsetSec: number
}

/** Where each stretch is in the file: pauses are cut out of a composed one, and stay in an individual one. */
export function placesOf(outputMode: OutputMode, segments: readonly Span[]): PlacedSpan[] {
  const [first] = segments
  if (first === undefined) return []
  let recordedMs = 0
  return segments.map((span) => {
    const offsetMs = outputMode === 'composed' ? recordedMs : span.fromMs - first.fromMs
    recordedMs += span.toMs - span.fromMs
    return { ...span, offsetSec: offsetMs / 1000 }
  })
}

/** Seconds from the start of the file; undefined for what happened while nothing was recorded. */
export function offsetSecOf(places: readonly PlacedSpan[], at: Date): number | undefined {
  const atMs = at.getTime()
  const place = places.find(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs)
  return place && place.offsetSec + (atMs - place.fromMs) / 1000
}
