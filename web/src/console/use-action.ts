import { useState } from 'react'

export interface Action {
  isBusy: boolean
  /** Why the last one did not work; null otherwise. */
  error: unknown
  /** Answers whether it worked; while one is under way, another one is not begun. */
  run: (act: () => Promise<void>) => Promise<boolean>
}

/** Something that is asked of the service by a press. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function run(act: () => Promise<void>): Promise<boolean> {
    // Enter submits a form whose button is pending, too.
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
