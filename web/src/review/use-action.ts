import { useState } from 'react'
import { ReviewError } from './review-api.ts'

/** Why an action failed, as the reader can understand it. */
type Problem = 'offline' | 'tooFast' | 'inProgress' | 'again'

interface Action {
  isBusy: boolean
  problem: Problem | null
  /** Resolves to true if the action succeeded. While one is running, another one is not started. */
  run: (act: () => Promise<void>) => Promise<boolean>
}

/** A request that starts with a press. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function run(act: () => Promise<void>): Promise<boolean> {
    if (isBusy) return false
    setIsBusy(true)
    setProblem(null)
    try {
      await act()
      return true
    } catch (error) {
      setProblem(problemOf(error))
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, problem, run }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof ReviewError)) throw error
  if (error.code === 'OFFLINE') return 'offline'
  if (error.code === 'RATE_LIMIT_EXCEEDED') return 'tooFast'
  if (error.code === 'TRANSCRIPTION_IN_PROGRESS') return 'inProgress'
  return 'again'
}
