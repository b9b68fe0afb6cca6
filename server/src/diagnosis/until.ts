import { setTimeout as delay } from 'node:timers/promises'

const LOOK_EVERY_MS = 200

/** Looks again and again until something is found. Undefined if nothing was in time. */
export async function until<T>(
  timeoutMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) return undefined
    await delay(LOOK_EVERY_MS)
  }
}
