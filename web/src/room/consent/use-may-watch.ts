import { mayWatch } from '@interview-room/contract/consent-rules.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { observationStatesOf } from './open-consents.ts'

/** Whether this person may see and hear the others: an unseen one only while all of them agree. */
export function useMayWatch(): boolean {
  const { role } = useLive()
  const roster = useLiveState((state) => state.roster)
  return mayWatch(role, observationStatesOf(roster))
}
