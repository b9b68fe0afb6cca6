import { onWake } from '../live/on-wake.ts'

const LOOK_MS = 500
/** A clock that runs a little fast must not ask too early. */
const ASK_AFTER_MS = 750
/** The slot may be moved while somebody waits, so the page asks at this interval. */
const ASK_EVERY_MS = 60_000
/** The room should be open, but the service does not answer: ask at this interval. */
const ASK_AGAIN_MS = 5_000

interface WaitOptions {
  /** The moment of opening on this machine's clock, in epoch milliseconds. */
  opensAtLocalMs: number
  ask: () => void
  /** From 0 to below 1. It spreads the requests, so that not all pages ask at the same moment. */
  random: number
}

/**
 * Keeps asking if the room is open while somebody waits, even after failed requests: at the expected time, at
 * intervals, and when the page or the network wakes up. Returns a function that stops it.
 */
export function keepAsking({ opensAtLocalMs, ask, random }: WaitOptions): () => void {
  // The answer that made the page wait is from now.
  let askedMs = Date.now()
  const askNow = () => {
    askedMs = Date.now()
    ask()
  }
  const timer = setInterval(() => {
    if (isDue({ nowMs: Date.now(), askedMs, opensAtLocalMs, random })) askNow()
  }, LOOK_MS)
  const stopWaking = onWake(askNow)
  return () => {
    clearInterval(timer)
    stopWaking()
  }
}

interface Moment {
  nowMs: number
  /** The time of the last request. */
  askedMs: number
  opensAtLocalMs: number
  random: number
}

function isDue({ nowMs, askedMs, opensAtLocalMs, random }: Moment): boolean {
  const sinceMs = nowMs - askedMs
  // The machine's clock was set back.
  if (sinceMs < 0) return true
  const shouldAskMs = opensAtLocalMs + ASK_AFTER_MS
  if (nowMs <= shouldAskMs) return sinceMs >= ASK_EVERY_MS
  return askedMs <= shouldAskMs || sinceMs >= ASK_AGAIN_MS * (1 + random / 2)
}
