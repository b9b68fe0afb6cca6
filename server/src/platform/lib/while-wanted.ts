import { setTimeout as delay } from 'node:timers/promises'

/** Thrown if the result is no longer wanted, or another attempt came first. */
export class NotWantedError extends Error {
  override name = 'NotWantedError'
}

interface ResultWatch {
  /** An error is no answer. */
  isWanted: () => Promise<boolean>
  lookMs: number
  signal: AbortSignal
}

/**
 * Long work whose signal aborts with `NotWantedError` soon after nobody wants its result any more, or with the reason of
 * the given one.
 */
export async function whileWanted<T>(
  { isWanted, lookMs, signal }: ResultWatch,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const unwanted = new AbortController()
  const watching = new AbortController()
  const watch = (async () => {
    while (!watching.signal.aborted) {
      await delay(lookMs, undefined, { signal: watching.signal }).catch(() => {})
      if (!(await isWanted().catch(() => true))) {
        unwanted.abort(new NotWantedError('it is not wanted any more'))
      }
    }
  })()
  try {
    return await work(AbortSignal.any([signal, unwanted.signal]))
  } catch (error) {
    unwanted.signal.throwIfAborted()
    throw error
  } finally {
    watching.abort()
    await watch
  }
}
