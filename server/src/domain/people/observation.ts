import type { ObservedPanelist } from './consent-store.ts'

/** The access of invisible roles to a room that asks its panelists for consent to observation. */
export interface Observation {
  /** Everybody who counts has agreed, so observers receive video, audio and the public chat. */
  isOpen: boolean
  /** Media identities whose messages are always withheld from observers. */
  withheld: readonly string[]
}

/**
 * Everybody present counts. A person who is still entering counts only if they declined, because they cannot publish before
 * they answer.
 */
export function observationOf(panelists: readonly ObservedPanelist[]): Observation {
  const withheld = panelists.filter(({ answer }) => answer !== 'given')
  const isOpen = !withheld.some(
    ({ answer, isPresent, isExpected }) => isPresent || (isExpected && answer !== null),
  )
  return { isOpen, withheld: withheld.map(({ identity }) => identity) }
}
