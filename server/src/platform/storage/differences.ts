import { type Db, inTransaction, type Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { deleteObjectsRequest } from './delete-objects.job.ts'
import { type FoundDifference, replaceDifferences, takeUnnamedSince } from './differences-store.ts'

export {
  type ChosenObjects,
  countDifferences,
  listKept,
  listUnnamed,
  markKept,
  takeChosen,
} from './differences-store.ts'

/** An unnamed object that nobody decided about is deleted this long after it was found. */
export const UNNAMED_LIFE_MS = 30 * 24 * 60 * 60 * 1000
/** The most keys of one deletion. */
const KEYS_MAX = 1000

/** Notes the files that rows name and the storage does not have. Those that were noted before and are left out are there again. */
export async function noteMissing(db: Db, keys: readonly string[], at: Date): Promise<void> {
  const found = keys.map((key) => ({ key, isHeld: false }))
  await inTransaction(db, (tx) => replaceDifferences(tx, 'missing', { found, at }))
}

/**
 * Notes the objects that no row names, and requests the deletion of those that have been noted for 30 days and are not held.
 * Returns how many these are.
 */
export async function noteUnnamed(
  db: Db,
  found: readonly FoundDifference[],
  at: Date,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await replaceDifferences(tx, 'unnamed', { found, at })
    const keys = await takeUnnamedSince(tx, new Date(at.getTime() - UNNAMED_LIFE_MS))
    await requestDeletion(tx, keys)
    return keys.length
  })
}

/** Requests the deletion of any number of objects. */
export async function requestDeletion(tx: Tx, keys: readonly string[]): Promise<void> {
  for (let first = 0; first < keys.length; first += KEYS_MAX) {
    await enqueue(tx, deleteObjectsRequest(keys.slice(first, first + KEYS_MAX)))
  }
}
