import { useState } from 'react'
import type { BodyArgument, OperationId, PathOf } from '../../live/live-request.ts'
import { useLive } from '../../live/use-live.tsx'

type Status = 'idle' | 'sending' | 'failed'

/** Something asked of the service by a press: how it is going, and how to ask. */
export function useRequest() {
  const { request } = useLive()
  const [status, setStatus] = useState<Status>('idle')

  /** Answers whether it was done. */
  async function post<Id extends OperationId>(
    path: PathOf<Id>,
    ...body: BodyArgument<Id>
  ): Promise<boolean> {
    setStatus('sending')
    const answer = await request<Id>('POST', path, ...body)
    setStatus(answer.ok ? 'idle' : 'failed')
    return answer.ok
  }
  return { status, post, reset: () => setStatus('idle') }
}
