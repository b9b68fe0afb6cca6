import type { Deps } from '../ports/deps.ts'

/** A revocation holds on every replica within this time: nothing is believed for longer. */
const BELIEVED_MS = 900
const CACHED_MAX = 10_000

/** Answers what `lookUp` found under this name less than a second ago, or looks it up. */
export type BelieveBriefly<T> = (
  name: string,
  lookUp: () => Promise<T | undefined>,
) => Promise<T | undefined>

interface Asked<T> {
  askedAtMs: number
  /** Whoever comes while the answer is awaited waits for the same one. */
  answer: Promise<T | undefined>
}

/** So that a busy tenant, or a crowd that enters, costs one look-up a second and process. */
export function createBriefBelief<T>({ clock }: Pick<Deps, 'clock'>): BelieveBriefly<T> {
  const cache = new Map<string, Asked<T>>()

  async function ask(name: string, asked: Asked<T>): Promise<T | undefined> {
    let found: T | undefined
    try {
      found = await asked.answer
    } finally {
      // Only what there is, so that nonsense cannot fill the map.
      if (found === undefined && cache.get(name) === asked) cache.delete(name)
    }
    return found
  }

  return async (name, lookUp) => {
    // When the database was asked, not when it answered.
    const askedAtMs = clock().getTime()
    const known = cache.get(name)
    if (known !== undefined && Math.abs(askedAtMs - known.askedAtMs) < BELIEVED_MS) {
      return known.answer
    }
    if (cache.size >= CACHED_MAX) cache.clear()
    const asked = { askedAtMs, answer: lookUp() }
    cache.set(name, asked)
    return ask(name, asked)
  }
}
