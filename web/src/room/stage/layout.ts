import type { Person } from '../../connection/call-state.ts'

export type Layout = 'grid' | 'speaker'

interface Wish {
  layout: Layout
  /** The person whom this page keeps large in every layout. */
  pinnedIdentity: string | null
  /** The person whom a moderator made large for everybody. */
  spotlight: string | null
  /** The last speaker, apart from oneself. */
  lastSpeaker: string | null
}

type Seen = Pick<Person, 'identity' | 'isLocal'>

/** The person on the large tile. Null for an equal grid, which is enough for two people. */
export function featuredOf(people: readonly Seen[], wish: Wish): string | null {
  const isHere = (identity: string | null) => people.some((one) => one.identity === identity)
  if (people.length < 2) return null
  if (isHere(wish.pinnedIdentity)) return wish.pinnedIdentity
  if (isHere(wish.spotlight)) return wish.spotlight
  if (wish.layout === 'grid') return null
  if (isHere(wish.lastSpeaker)) return wish.lastSpeaker
  return people.find(({ isLocal }) => !isLocal)?.identity ?? null
}
