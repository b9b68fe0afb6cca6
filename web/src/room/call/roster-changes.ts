import type { Person } from '../../connection/call-state.ts'

type Seen = readonly Pick<Person, 'identity' | 'name' | 'isLocal'>[]

/** The people who joined and left between two snapshots of the room, without this page's own person. */
export function rosterChanges(before: Seen, after: Seen): { came: string[]; went: string[] } {
  const missingIn = (there: Seen, here: Seen) =>
    here
      .filter(
        ({ identity, isLocal }) => !isLocal && !there.some((one) => one.identity === identity),
      )
      .map(({ name }) => name)
  return { came: missingIn(before, after), went: missingIn(after, before) }
}

/** The people in the room, as far as they are known. */
export interface Sight {
  people: Seen
  phase: 'live' | 'reconnecting'
}

/** The people after a change. While the page reconnects, people who cannot be seen have not left. */
export function sightAfter(before: Sight, now: Sight): Sight {
  return now.phase === 'live' ? now : { ...now, people: before.people }
}
