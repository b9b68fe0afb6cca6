import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseUnavailable } from './unavailable.ts'

const AGAIN_MS = 500

/**
 * Asks again while the database cannot be asked, until the signal is aborted. A lost answer may be that of a statement which was
 * carried out, so `ask` must be safe to repeat.
 */
export async function onceAvailable<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || signal.aborted) throw error
      await delay(AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  }
}
