import { useState } from 'react'
import { Refusal } from './playground-api.ts'

type Problem = Refusal['code'] | 'unreachable'

export interface Action {
  isBusy: boolean
  /** Why the last one did not work. */
  problem: Problem | null
  /** Answers whether it worked. */
  run: (act: () => Promise<void>) => Promise<boolean>
}

/** Something that is asked of the service by a press: whether it is on its way, and what went wrong. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function run(act: () => Promise<void>): Promise<boolean> {
    setIsBusy(true)
    setProblem(null)
    try {
      await act()
      return true
    } catch (error) {
      setProblem(error instanceof Refusal ? error.code : 'unreachable')
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, problem, run }
}
