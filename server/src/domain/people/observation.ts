import type { ObservedPanelist } from './consent-store.ts'

/** What those who are not seen may receive, in a room whose panelists are asked to be observed. */
export interface Observation {
  /** Everybody who counts has agreed: video, audio and the public chat are for observers, too. */
  isOpen: boolean
  /** Whose messages stay from observers in any case, by media identity. */
  withheld: readonly string[]
}

/**
 * Everybody present counts. Of those who are entering, only those who declined: the others cannot publish
 * before they have answered.
 */
export function observationOf(panelists: readonly ObservedPanelist[]): Observation {
  const withheld = panelists.filter(({ answer }) => answer !== 'given')
  const isOpen = !withheld.some(
    ({ answer, isPresent, isExpected }) => isPresent || (isExpected && answer !== null),
  )
  return { isOpen, withheld: withheld.map(({ identity }) => identity) }
}
