import { useState } from 'react'

export interface Action {
  isBusy: boolean
  /** The error of the last action; null if it succeeded. */
  error: unknown
  /** Resolves to true if the action succeeded. While one is running, another one is not started. */
  run: (act: () => Promise<void>) => Promise<boolean>
}

/** A request that starts with a press. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function run(act: () => Promise<void>): Promise<boolean> {
    // Enter submits a form even while its button is pending.
    if (isBusy) return false
    setIsBusy(true)
    setError(null)
    try {
      await act()
      return true
    } catch (caught) {
      setError(caught)
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, error, run }
}
