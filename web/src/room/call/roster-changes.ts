import type { Person } from '../../connection/call-state.ts'

type Seen = readonly Pick<Person, 'identity' | 'name' | 'isLocal'>[]

/** Who joined and who left between two snapshots of the room, without this page's own user. */
export function rosterChanges(before: Seen, after: Seen): { came: string[]; went: string[] } {
  const missingIn = (there: Seen, here: Seen) =>
    here
      .filter(
        ({ identity, isLocal }) => !isLocal && !there.some((one) => one.identity === identity),
      )
      .map(({ name }) => name)
  return { came: missingIn(before, after), went: missingIn(after, before) }
}

/** What was known of the room, or is now. */
export interface Sight {
  people: Seen
  phase: 'live' | 'reconnecting'
}

/** What is known after a change: while everything is being connected again, those who are not seen have not left. */
export function sightAfter(before: Sight, now: Sight): Sight {
  return now.phase === 'live' ? now : { ...now, people: before.people }
}
