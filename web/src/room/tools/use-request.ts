import { useRef, useState } from 'react'
import type { BodyArgument, OperationId, PathOf } from '../../live/live-request.ts'
import { useLive } from '../../live/use-live.tsx'

type Status = 'idle' | 'sending' | 'failed'

/** Something asked of the service by a press: how it is going, and how to ask. */
export function useRequest() {
  const { request } = useLive()
  const [status, setStatus] = useState<Status>('idle')
  const resetCount = useRef(0)

  /** Answers whether it was done; false also when that is known only after a reset. */
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

  /** Forgets how the last one went, and how one goes that is still under way. */
  function reset(): void {
    resetCount.current += 1
    setStatus('idle')
  }
  return { status, post, reset }
}
