import type { SoundUnit } from './track-media.ts'

/** Who has the focus from a moment on. */
export interface FocusChange {
  fromMs: number
  participant: string
}

// RFC 6464 levels: 0 is the loudest.
const SPEAKING_LEVEL = 35
const SPEAKING_SHARE = 0.4
const WINDOW_MS = 500
// A word thrown in does not take the focus.
const TAKES_OVER_AFTER = 2

/** When the focus goes to whom, from the loudness of everybody's packets. */
export function focusChanges(
  voices: readonly { participant: string; units: readonly SoundUnit[] }[],
): FocusChange[] {
  const windows = new Map<number, Map<string, number>>()
  for (const { participant, units } of voices) {
    for (const [window, loudness] of spokenWindows(units)) {
      const present = windows.get(window) ?? new Map<string, number>()
      windows.set(window, present.set(participant, loudness))
    }
  }
  const changes: FocusChange[] = []
  let candidate = { participant: '', windows: 0 }
  for (const window of [...windows.keys()].toSorted((a, b) => a - b)) {
    const current = changes.at(-1)?.participant
    const speakers = windows.get(window) ?? new Map<string, number>()
    if (current !== undefined && speakers.has(current)) {
      candidate = { participant: '', windows: 0 }
      continue
    }
    const [loudest = ''] = [...speakers].toSorted((a, b) => b[1] - a[1])[0] ?? []
    const isSame = candidate.participant === loudest
    candidate = { participant: loudest, windows: isSame ? candidate.windows + 1 : 1 }
    if (current !== undefined && candidate.windows < TAKES_OVER_AFTER) continue
    changes.push({ fromMs: window * WINDOW_MS, participant: loudest })
  }
  return changes
}

function spokenWindows(units: readonly SoundUnit[]): Map<number, number> {
  const counts = new Map<number, { packets: number; spoken: number; loudest: number }>()
  for (const { timeMs, level } of units) {
    const window = Math.floor(timeMs / WINDOW_MS)
    const count = counts.get(window) ?? { packets: 0, spoken: 0, loudest: 0 }
    count.packets++
    if (level <= SPEAKING_LEVEL) count.spoken++
    count.loudest = Math.max(count.loudest, 127 - level)
    counts.set(window, count)
  }
  const spoken = [...counts].filter(([, one]) => one.spoken / one.packets >= SPEAKING_SHARE)
  return new Map(spoken.map(([window, { loudest }]) => [window, loudest]))
}
