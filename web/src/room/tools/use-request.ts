import { useRef, useState } from 'react'
import type { BodyArgument, OperationId, PathOf } from '../../live/live-request.ts'
import { useLive } from '../../live/use-live.tsx'

type Status = 'idle' | 'sending' | 'failed'

/** A request that starts with a press, and its status. */
export function useRequest() {
  const { request } = useLive()
  const [status, setStatus] = useState<Status>('idle')
  const resetCount = useRef(0)

  /** Resolves to true if it succeeded. Also false if the answer arrives after a reset. */
  async function post<Id extends OperationId>(
    path: PathOf<Id>,
    ...body: BodyArgument<Id>
  ): Promise<boolean> {
    setStatus('sending')
    const before = resetCount.current
    const answer = await request<Id>('POST', path, ...body)
    if (before !== resetCount.current) return false
    setStatus(answer.ok ? 'idle' : 'failed')
    return answer.ok
  }

  /** Forgets the result of the last request, and ignores the answer of a pending one. */
  function reset(): void {
    resetCount.current += 1
    setStatus('idle')
  }
  return { status, post, reset }
}
