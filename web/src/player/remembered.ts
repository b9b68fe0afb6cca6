import { RATES } from './player.ts'

const PLACES_KEY = 'interview-room.review-places'
const RATE_KEY = 'interview-room.review-rate'
/** Recordings whose place this device remembers. */
const PLACES_MAX = 50
/** At the end there is nothing left to see. */
const END_SEC = 5

/** Seconds by the id of the recording, the last one seen last. */
type Places = Record<string, number>

export function recallPlace(recordingId: string, durationSec: number): number {
  const sec = readPlaces()[recordingId] ?? 0
  return sec < durationSec - END_SEC ? sec : 0
}

export function rememberPlace(recordingId: string, sec: number): void {
  const { [recordingId]: _, ...others } = readPlaces()
  const kept = [...Object.entries(others), [recordingId, Math.round(sec * 10) / 10] as const]
  write(PLACES_KEY, JSON.stringify(Object.fromEntries(kept.slice(-PLACES_MAX))))
}

function readPlaces(): Places {
  try {
    return JSON.parse(localStorage.getItem(PLACES_KEY) ?? '{}') as Places
  } catch {
    return {}
  }
}

export function recallRate(): number {
  try {
    const kept = Number(localStorage.getItem(RATE_KEY))
    return RATES.find((each) => each === kept) ?? 1
  } catch {
    return 1
  }
}

let rememberedRate: number | undefined

/** Writes only changes, because the player reports every position. */
export function rememberRate(rate: number): void {
  if (rate === rememberedRate) return
  rememberedRate = rate
  write(RATE_KEY, String(rate))
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // A browser that stores nothing starts from the beginning.
  }
}
