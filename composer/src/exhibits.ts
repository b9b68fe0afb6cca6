import type { Size } from './layouts.ts'
import { type Span, splitSpans } from './spans.ts'

/** A handout that everybody in the room saw from one moment to another. */
export interface Exhibit {
  kind: 'image' | 'video'
  /** A path on this machine. */
  file: string
  /** By the clock of the captures. */
  fromMs: number
  toMs: number
  /** The positions of a video from each moment on, in order. Before the first one, it is at its beginning. */
  playback: readonly PlaybackChange[]
}

export interface PlaybackChange {
  atMs: number
  positionSec: number
  isPlaying: boolean
}

/** From this frame of the recording on, the video stands at this position, or plays from there. */
export interface PlaybackStep {
  frame: number
  positionSec: number
  isPlaying: boolean
}

/** The size of a file as it is displayed, and if it has sound. */
export interface ExhibitMedia extends Size {
  hasSound: boolean
}

/** An exhibit in a piece of the recording. */
export interface PlacedExhibit {
  /** Unique within the piece. */
  id: string
  kind: Exhibit['kind']
  file: string
  media: ExhibitMedia
  fromMs: number
  toMs: number
  fromFrame: number
  toFrame: number
  steps: readonly PlaybackStep[]
}

export interface PieceTimes {
  startMs: number
  endMs: number
  frameOf: (ms: number) => number
}

/** Cuts the exhibits to a piece of the recording. Unreadable ones are not drawn. */
export function placeExhibits(
  exhibits: readonly Exhibit[],
  mediaOf: (file: string) => ExhibitMedia | undefined,
  { startMs, endMs, frameOf }: PieceTimes,
): PlacedExhibit[] {
  return exhibits.flatMap((exhibit, i): PlacedExhibit[] => {
    const { kind, file } = exhibit
    const media = mediaOf(file)
    const fromMs = Math.max(exhibit.fromMs, startMs)
    const toMs = Math.min(exhibit.toMs, endMs)
    if (media === undefined || fromMs >= toMs) return []
    const [fromFrame, toFrame] = [frameOf(fromMs), frameOf(toMs)]
    const steps = kind === 'image' ? [] : stepsOf(exhibit, { fromMs, toMs, frameOf })
    return [{ id: String(i), kind, file, media, fromMs, toMs, fromFrame, toFrame, steps }]
  })
}

function stepsOf(
  { playback }: Exhibit,
  { fromMs, toMs, frameOf }: { fromMs: number; toMs: number; frameOf: (ms: number) => number },
): PlaybackStep[] {
  const before = playback.findLast(({ atMs }) => atMs <= fromMs)
  const atStart = {
    positionSec: before === undefined ? 0 : positionAt(before, fromMs),
    isPlaying: before?.isPlaying ?? false,
    frame: frameOf(fromMs),
  }
  const later = playback.filter(({ atMs }) => atMs > fromMs && atMs < toMs)
  return [atStart, ...later.map(({ atMs, ...state }) => ({ ...state, frame: frameOf(atMs) }))]
}

function positionAt({ atMs, positionSec, isPlaying }: PlaybackChange, nowMs: number): number {
  return isPlaying ? positionSec + (nowMs - atMs) / 1000 : positionSec
}

/** Splits spans at the moments when exhibits come and go, and adds the visible ones. */
export function withExhibits<S extends Span>(
  spans: readonly S[],
  exhibits: readonly PlacedExhibit[],
): (S & { exhibits: readonly PlacedExhibit[] })[] {
  const changes = exhibits.flatMap(({ fromMs, toMs }) => [fromMs, toMs])
  return splitSpans(spans, changes).map((span) => ({
    ...span,
    exhibits: exhibits.filter(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs > span.fromMs),
  }))
}
