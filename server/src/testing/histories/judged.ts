import type { Facts } from './facts.ts'
import type { Model } from './model.ts'
import type { Player } from './player.ts'

/** Everything that is known about a history that has ended. */
export interface Ended {
  player: Player
  model: Model
  facts: Facts
  /** The answers of the API's lists of each room, page by page. */
  told: Map<string, Told>
  /** Keys of the tenant in the storage, and those of them that nothing names. */
  objects: { all: string[]; unnamed: string[] }
}

export interface Told {
  room: { status: string; session: { status: string; starts_at: string; ends_at: string } }
  participants: { id: string; role: string; status: string; external_id: string }[]
  entries: { id: number; entered_at: string; left_at: string | null; duration_sec: number | null }[]
  messages: { id: string; visibility: string; content_type: string }[]
  recordings: { id: string; status: string; size: number | null }[]
  /** Ids of each list, read two by two. */
  paged: Record<string, (string | number)[]>
}

/** A rule that holds for every history in the end. Returns what breaks it. */
export type Invariant = (ended: Ended) => string[]

/** Findings by the name of the invariant that they break. */
export function violationsOf(ended: Ended, invariants: Record<string, Invariant>): string[] {
  return Object.entries(invariants).flatMap(([name, invariant]) => {
    const broken = invariant(ended)
    return broken.length === 0 ? [] : [`${name}: ${broken.slice(0, 3).join('; ')}`]
  })
}

/** `- x` for what is missing, `+ x` for what is too much. */
export function differences<T extends string | number>(
  got: readonly T[],
  wanted: readonly T[],
): string[] {
  const rest = [...got]
  const missing = wanted.filter((each) => {
    const at = rest.indexOf(each)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  return [...missing.map((each) => `- ${each}`), ...rest.map((each) => `+ ${each}`)]
}
