import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { ListedObject } from '../../platform/ports/storage.ts'
import { divideByName } from './named-objects-store.ts'

/** Longer than the time from the first byte of any object to the row that names it. */
const NAMED_WITHIN_MS = 24 * 60 * 60 * 1000

export interface UnnamedObject extends ListedObject {
  /** Stored after every object that a row names, as if the database were older than the storage. */
  isAhead: boolean
}

/** The objects that no row names: older than a day, or ahead of the database. Throws `StorageError`. */
export async function findUnnamedObjects(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  signal?: AbortSignal,
): Promise<UnnamedObject[]> {
  const unnamed: ListedObject[] = []
  let newestMs = -Infinity
  let after: string | undefined
  do {
    signal?.throwIfAborted()
    const { objects, next } = await storage.list(after)
    const stored = new Map(objects.map((object) => [object.key, object]))
    // Read all rows at one moment: a key that moves from one row to another meanwhile would be in neither.
    const divided = await inTransaction(db, (tx) => divideByName(tx, [...stored.keys()]), {
      isSnapshot: true,
    })
    for (const key of divided.named) {
      newestMs = Math.max(newestMs, stored.get(key)?.storedAt.getTime() ?? -Infinity)
    }
    unnamed.push(...divided.unnamed.flatMap((key) => stored.get(key) ?? []))
    after = next
  } while (after !== undefined)
  const before = clock().getTime() - NAMED_WITHIN_MS
  const judged = unnamed
    .map((object) => ({ ...object, isAhead: object.storedAt.getTime() > newestMs }))
    .filter(({ storedAt, isAhead }) => isAhead || storedAt.getTime() < before)
  const found: UnnamedObject[] = []
  for (const object of judged) {
    signal?.throwIfAborted()
    // Some were deleted with their rows since the list was read.
    if ((await storage.head(object.key)) !== undefined) found.push(object)
  }
  return found
}
