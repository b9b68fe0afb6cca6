import type { Person } from '../../connection/call-state.ts'

type Seen = readonly Pick<Person, 'identity' | 'name' | 'isLocal'>[]

/** Who came and who went between two looks at the room, oneself left out. */
export function comings(before: Seen, after: Seen): { came: string[]; went: string[] } {
  const missingIn = (there: Seen, here: Seen) =>
    here
      .filter(
        ({ identity, isLocal }) => !isLocal && !there.some((one) => one.identity === identity),
      )
      .map(({ name }) => name)
  return { came: missingIn(before, after), went: missingIn(after, before) }
}
