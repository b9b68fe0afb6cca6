import type { Role } from '@interview-room/contract/vocabulary.ts'

/** The tools of a role beyond its capabilities. They follow the contract's table of facts. */
export function toolsOf(role: Role) {
  return {
    canMark: role !== 'panelist',
    canRaiseHand: role === 'panelist',
    canCallForHelp: role !== 'platform_observer',
  }
}
