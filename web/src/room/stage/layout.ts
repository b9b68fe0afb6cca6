import type { Person } from '../../connection/call-state.ts'

/** An equal grid, or one large tile. */
export type Layout = 'grid' | 'speaker'

interface Wish {
  layout: Layout
  /** The person whom this page keeps large in every layout. */
  pinnedIdentity: string | null
  /** The person whom a moderator made large for everybody. */
  spotlight: string | null
  /** The last speaker, apart from oneself. */
  lastSpeaker: string | null
  /** The person at this page is a respondent. Everybody else watches the respondents. */
  isRespondent: boolean
}

type Seen = Pick<Person, 'identity' | 'isLocal' | 'role'>

/** The person on the large tile: the last speaker, among the respondents if there are any. Null for an equal grid. */
export function featuredOf(people: readonly Seen[], wish: Wish): string | null {
  const isHere = (identity: string | null) => people.some((one) => one.identity === identity)
  if (people.length < 2) return null
  if (isHere(wish.pinnedIdentity)) return wish.pinnedIdentity
  if (isHere(wish.spotlight)) return wish.spotlight
  if (wish.layout === 'grid') return null
  const others = people.filter(({ isLocal }) => !isLocal)
  const respondents = others.filter(({ role }) => role === 'panelist')
  const watched = wish.isRespondent || respondents.length === 0 ? others : respondents
  const speaker = watched.find(({ identity }) => identity === wish.lastSpeaker)
  return (speaker ?? watched[0])?.identity ?? null
}

/** Respondents first, unless one is a respondent; oneself last. */
export function inOrder<Each extends Seen>(people: readonly Each[], isRespondent: boolean): Each[] {
  const rank = ({ isLocal, role }: Seen) =>
    isLocal ? 2 : role === 'panelist' || isRespondent ? 0 : 1
  return people.toSorted((one, other) => rank(one) - rank(other))
}
