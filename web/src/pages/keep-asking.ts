import { onWake } from '../live/on-wake.ts'

const LOOK_MS = 500
/** A clock that runs a little fast must not ask too early. */
const ASK_AFTER_MS = 750
/** The slot may move while somebody waits, so the page asks now and then. */
const ASK_EVERY_MS = 60_000
/** Once the room should be open: the page still waits because nobody could answer. */
const ASK_AGAIN_MS = 5_000

interface WaitOptions {
  /** The moment of opening on this machine's clock, in epoch milliseconds. */
  opensAtLocalMs: number
  ask: () => void
  /** From 0 to below 1: not all pages ask again in the same moment. */
  random: number
}

/**
 * Asks whether the room is open for as long as somebody waits, whatever became of the questions before: when it should
 * be, now and then, and when the page or the network wakes up. Answers how to end it.
 */
export function keepAsking({ opensAtLocalMs, ask, random }: WaitOptions): () => void {
  // What made the page wait is an answer of now.
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
  /** When the page asked last. */
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
