import { type BoardPerson, CONNECTION_QUALITIES } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'

const ORDER: readonly Role[] = ['panelist', 'moderator', 'observer', 'platform_observer']
/** An interview needs these roles, so they are shown even if nobody is inside. */
export const EXPECTED: readonly Role[] = ['panelist', 'moderator']

export function byRole(
  people: readonly BoardPerson[],
): { role: Role; inside: readonly BoardPerson[] }[] {
  return ORDER.map((role) => ({
    role,
    inside: people.filter((person) => person.role === role),
  })).filter(({ role, inside }) => inside.length > 0 || EXPECTED.includes(role))
}

/** The weakest connection first. People whose page has not reported one come last. */
export function worstFirst(people: readonly BoardPerson[]): BoardPerson[] {
  return people.toSorted((one, other) => weaknessOf(other) - weaknessOf(one))
}

function weaknessOf({ line }: BoardPerson): number {
  return line === null ? -1 : CONNECTION_QUALITIES.indexOf(line)
}
