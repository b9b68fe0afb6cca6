import { setTimeout as delay } from 'node:timers/promises'

/**
 * How long a test waits for something that comes soon. This is many times what it takes, because a loaded machine is slow, and only
 * a failing test waits this long.
 */
export const SOON_MS = 120_000
/** The same for longer work: a composition, a transcription, the start of a service. */
export const LATER_MS = 480_000
/** `SOON_MS`, as a locator takes it. */
export const SOON = { timeout: SOON_MS } as const

const POLL_MS = 100

interface WaitOptions {
  /** Named in the error after the deadline. */
  what: string
  timeoutMs?: number
  /** Longer if a check is much work and its exact moment does not matter. */
  everyMs?: number
}

/** Polls until `look` answers something other than undefined or false; throws after the deadline. */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  { what, timeoutMs = SOON_MS, everyMs = POLL_MS }: WaitOptions,
): Promise<Exclude<T, undefined | false | null>> {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  while (performance.now() < deadline) {
    try {
      const seen = await look()
      if (seen !== undefined && seen !== false && seen !== null) {
        return seen as Exclude<T, undefined | false | null>
      }
      last = seen
    } catch (error) {
      last = error
    }
    await delay(everyMs)
  }
  throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause: last })
}

/** Polls without a pause, so that a state of a few milliseconds is not missed. */
export async function untilSeen(look: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + SOON_MS
  while (!look()) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
