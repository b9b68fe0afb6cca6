import { mayWatch } from '@interview-room/contract/consent-rules.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { observationStatesOf } from './open-consents.ts'

/** True if this person may see and hear the others. A hidden person may only while all panelists agree. */
export function useMayWatch(): boolean {
  const { role } = useLive()
  const roster = useLiveState((state) => state.roster)
  return mayWatch(role, observationStatesOf(roster))
}
