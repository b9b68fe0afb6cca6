import { setTimeout as delay } from 'node:timers/promises'
import { S3ServiceException } from '@aws-sdk/client-s3'
import { steadyNow } from '../lib/steady-now.ts'

interface Patience {
  /** When to stop trying. */
  signal: AbortSignal
  /** After the first, second, ... failure; the last one holds for all that follow. */
  pausesMs: readonly number[]
  /** True for a failure that another try would not mend. */
  isFinal?: (error: unknown) => boolean
  /** Called with the first failure. */
  onFailure?: (error: unknown) => void
}

/** Repeats what fails. Throws the last failure when it is final, or when the signal ends the tries. */
export async function keepTrying<T>(
  work: () => Promise<T>,
  { signal, pausesMs, isFinal = () => false, onFailure = () => {} }: Patience,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || isFinal(error)) throw error
      if (failures === 0) onFailure(error)
      const pauseMs = pausesMs[failures] ?? pausesMs.at(-1)
      await delay(pauseMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}

/** A storage that is out of reach for a while costs no recording; one that refuses does. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  const { httpStatusCode = 500 } = error.$metadata
  return httpStatusCode < 500 && ![408, 429].includes(httpStatusCode)
}

/** True once one failure after the other has been of this kind for so long. */
export function failingFor(
  longestMs: number,
  isOfKind: (error: unknown) => boolean = () => true,
): (error: unknown) => boolean {
  let sinceMs: number | undefined
  return (error) => {
    const nowMs = steadyNow()
    sinceMs = isOfKind(error) ? (sinceMs ?? nowMs) : undefined
    return sinceMs !== undefined && nowMs - sinceMs >= longestMs
  }
}
