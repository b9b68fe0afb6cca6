import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 20
const DEADLINE_MS = 20_000

/** Polls until the fact is there; throws after 20 s. */
export async function waitFor(isThere: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + DEADLINE_MS
  while (!(await isThere())) {
    if (performance.now() > end)
      throw new Error(`not within ${DEADLINE_MS} ms: ${isThere.toString()}`)
    await delay(POLL_MS)
  }
}
