import { useLiveState } from '../../live/use-live.tsx'
import { useRequest } from './use-request.ts'

export type Hand = ReturnType<typeof useHand>

/** The hand of the person with this identity, as everybody sees it, with a function that raises and lowers it. */
export function useHand(identity: string) {
  const { status, post, reset } = useRequest()
  const isRaised = useLiveState((state) =>
    state.roster.some((person) => person.identity === identity && person.has_hand_raised),
  )

  function toggle(): void {
    if (status === 'sending') return
    void post<'postRoomEvent'>('/events', { event_type: isRaised ? 'hand.lowered' : 'hand.raised' })
  }
  return { isRaised, toggle, hasFailed: status === 'failed', dismissFailure: reset }
}
