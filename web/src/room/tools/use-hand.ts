import type { Person } from '../../connection/call-state.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useRequest } from './use-request.ts'

export type Hand = ReturnType<typeof useHand>

/** The own hand, as everybody knows it: raises it, and lowers it again. */
export function useHand(people: readonly Person[]) {
  const { status, post, reset } = useRequest()
  const identity = people.find(({ isLocal }) => isLocal)?.identity
  const isRaised = useLiveState((state) =>
    state.roster.some((person) => person.identity === identity && person.has_hand_raised),
  )

  function toggle(): void {
    if (status === 'sending') return
    void post<'postRoomEvent'>('/events', { event_type: isRaised ? 'hand.lowered' : 'hand.raised' })
  }
  return { isRaised, toggle, hasFailed: status === 'failed', dismissFailure: reset }
}
