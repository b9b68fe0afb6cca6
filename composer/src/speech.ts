import type { AudioUnit } from './track-media.ts'

/** The participant who has the focus from a moment on. */
export interface FocusChange {
  fromMs: number
  participant: string
}

// RFC 6464 levels: 0 is the loudest.
const SPEAKING_LEVEL = 35
const SPEAKING_SHARE = 0.4
export const SPEECH_WINDOW_MS = 500
// The latest speaker has the focus; a short interjection neither takes nor keeps it.
const LATELY = 4
const TAKES_OVER_BY = 2

/** Changes of the focus, from the loudness of everybody's packets. */
export function focusChanges(
  voices: readonly { participant: string; units: Iterable<AudioUnit> }[],
): FocusChange[] {
  const spoken = voices.map(({ participant, units }) => ({
    participant,
    windows: spokenWindows(units),
  }))
  const all = spoken.flatMap(({ windows }) => [...windows.keys()])
  const changes: FocusChange[] = []
  for (const window of [...new Set(all)].toSorted((a, b) => a - b)) {
    const scores = spoken.map(({ participant, windows }) => ({
      participant,
      ...scoreOf(windows, window),
    }))
    const [best] = scores.toSorted((a, b) => b.count - a.count || b.loudness - a.loudness)
    const current = scores.find(({ participant }) => participant === changes.at(-1)?.participant)
    if (best === undefined || best.participant === current?.participant) continue
    if (current !== undefined && best.count < current.count + TAKES_OVER_BY) continue
    changes.push({ fromMs: window * SPEECH_WINDOW_MS, participant: best.participant })
  }
  return changes
}

/** The number of recent windows in which a person spoke, and the loudness. */
function scoreOf(windows: ReadonlyMap<number, number>, last: number) {
  const lately = Array.from({ length: LATELY }, (_, i) => windows.get(last - i))
  const loud = lately.filter((loudness) => loudness !== undefined)
  return { count: loud.length, loudness: Math.max(0, ...loud) }
}

/** The loudest sound of each window in which somebody speaks, 0 to 127, by the number of the window. */
export function spokenWindows(units: Iterable<AudioUnit>): Map<number, number> {
  const counts = new Map<number, { packets: number; spoken: number; loudest: number }>()
  for (const { timeMs, level } of units) {
    const window = Math.floor(timeMs / SPEECH_WINDOW_MS)
    const count = counts.get(window) ?? { packets: 0, spoken: 0, loudest: 0 }
    count.packets++
    if (level <= SPEAKING_LEVEL) count.spoken++
    count.loudest = Math.max(count.loudest, 127 - level)
    counts.set(window, count)
  }
  const spoken = [...counts].filter(([, one]) => one.spoken / one.packets >= SPEAKING_SHARE)
  return new Map(spoken.map(([window, { loudest }]) => [window, loudest]))
}
