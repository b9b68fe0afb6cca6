import type { Role } from '@interview-room/contract/vocabulary.ts'

/** What a role is offered beside its capabilities; the contract's table of facts says the same. */
export function toolsOf(role: Role) {
  return {
    canMark: role !== 'panelist',
    canRaiseHand: role === 'panelist',
    canCallForHelp: role !== 'platform_observer',
  }
}
