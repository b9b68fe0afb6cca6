import type { Deps } from '../ports/deps.ts'

/** A revocation takes effect on every replica within this time. */
const CACHED_MS = 900
const CACHED_MAX = 10_000

/** Returns what `lookUp` found under this name less than a second ago, or looks it up. */
export type ShortCache<T> = (name: string, lookUp: () => Promise<T>) => Promise<T>

interface CacheEntry<T> {
  askedAtMs: number
  /** Concurrent callers share one look-up. */
  answer: Promise<T>
}

/** Limits a busy tenant to one look-up per second and process. */
export function createShortCache<T>({ clock }: Pick<Deps, 'clock'>): ShortCache<T> {
  const cache = new Map<string, CacheEntry<T>>()

  async function ask(name: string, entry: CacheEntry<T>): Promise<T> {
    let found: T | undefined
    try {
      found = await entry.answer
      return found
    } finally {
      // Only existing entries are kept, so that invalid names cannot fill the map.
      if (found === undefined && cache.get(name) === entry) cache.delete(name)
    }
  }

  return async (name, lookUp) => {
    // When the database was asked, not when it answered.
    const askedAtMs = clock().getTime()
    const known = cache.get(name)
    if (known !== undefined && Math.abs(askedAtMs - known.askedAtMs) < CACHED_MS) {
      return known.answer
    }
    if (cache.size >= CACHED_MAX) cache.clear()
    const entry = { askedAtMs, answer: lookUp() }
    cache.set(name, entry)
    return ask(name, entry)
  }
}
