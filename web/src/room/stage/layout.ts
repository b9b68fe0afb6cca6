import type { Person } from '../../connection/call-state.ts'

export type Layout = 'grid' | 'speaker'

interface Wish {
  layout: Layout
  /** Whom this page keeps large, whatever the layout. */
  pinnedIdentity: string | null
  /** Whom a moderator makes large for everybody. */
  spotlight: string | null
  /** Who spoke last, oneself left out. */
  lastSpeaker: string | null
}

type Seen = Pick<Person, 'identity' | 'isLocal'>

/** Who is shown large; null for a grid of equals. With one other person the grid is enough. */
export function featuredOf(people: readonly Seen[], wish: Wish): string | null {
  const isHere = (identity: string | null) => people.some((one) => one.identity === identity)
  if (people.length < 2) return null
  if (isHere(wish.pinnedIdentity)) return wish.pinnedIdentity
  if (isHere(wish.spotlight)) return wish.spotlight
  if (wish.layout === 'grid') return null
  if (isHere(wish.lastSpeaker)) return wish.lastSpeaker
  return people.find(({ isLocal }) => !isLocal)?.identity ?? null
}
