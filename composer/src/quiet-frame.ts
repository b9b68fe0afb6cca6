import type { Span } from './spans.ts'
import type { AudioUnit } from './track-media.ts'

export interface QuietSearch {
  voices: readonly { units: Iterable<AudioUnit> }[]
  /** The first and the last frame that may be chosen. */
  firstFrame: number
  lastFrame: number
  /** The time of a frame, by the clock of the capture. */
  msOf: (frame: number) => number
  /** Times in which nothing may be chosen. */
  without: readonly Span[]
}

const WINDOW_MS = 100
const SILENCE = 127

/** The frame at which everybody is quietest, and the last of several. Undefined if there is none to choose from. */
export function quietFrame(search: QuietSearch): number | undefined {
  const { voices, firstFrame, lastFrame, msOf, without } = search
  const fromMs = msOf(firstFrame) - WINDOW_MS
  const loudness: number[] = []
  for (const { units } of voices) {
    for (const { timeMs, level } of units) {
      if (timeMs < fromMs || timeMs > msOf(lastFrame) + WINDOW_MS) continue
      const window = Math.floor((timeMs - fromMs) / WINDOW_MS)
      loudness[window] = Math.max(loudness[window] ?? 0, SILENCE - level)
    }
  }
  let quietest: { frame: number; loudness: number } | undefined
  for (let frame = firstFrame; frame <= lastFrame; frame++) {
    const ms = msOf(frame)
    if (without.some((span) => span.fromMs < ms && ms < span.toMs)) continue
    const window = Math.floor((ms - fromMs) / WINDOW_MS)
    const around = [window - 1, window, window + 1].map((index) => loudness[index] ?? 0)
    const found = { frame, loudness: Math.max(...around) }
    if (quietest === undefined || found.loudness <= quietest.loudness) quietest = found
  }
  return quietest?.frame
}
