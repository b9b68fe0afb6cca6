import { type Db, inTransaction } from '../../platform/db/db.ts'
import {
  type ChosenObjects,
  requestDeletion,
  takeChosen,
} from '../../platform/storage/differences.ts'
import { divideByName } from './named-objects-store.ts'

/**
 * Requests the deletion of unnamed objects that the last look found. One that a row names by now stays. Returns the keys of both.
 */
export async function deleteUnnamed(
  db: Db,
  chosen: ChosenObjects,
): Promise<{ deleted: string[]; named: string[] }> {
  return inTransaction(db, async (tx) => {
    const { named, unnamed } = await divideByName(tx, await takeChosen(tx, chosen))
    await requestDeletion(tx, unnamed)
    return { deleted: unnamed, named }
  })
}
