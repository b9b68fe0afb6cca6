import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 20
/** Below the timeout of a test, whose error would not say what was awaited. */
const DEADLINE_MS = 120_000
/** The same for `vi.waitFor`, whose default is one second. */
export const SOON = { timeout: DEADLINE_MS } as const

/** Polls until the fact is true; throws after two minutes, or the given time. */
export async function waitFor(
  isThere: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await isThere())) {
    if (performance.now() > end)
      throw new Error(`not within ${deadlineMs} ms: ${isThere.toString()}`)
    await delay(POLL_MS)
  }
}
