import type { Deps } from '../platform/ports/deps.ts'
import { listNeededFiles, type NeededFile } from './store.ts'

/** Asked for at a time. */
const BATCH = 20

/** Which files of the data the storage does not have, and how many it was asked for. Throws `StorageError`. */
export async function findMissingFiles({
  db,
  storage,
}: Pick<Deps, 'db' | 'storage'>): Promise<{ checked: number; missing: NeededFile[] }> {
  const files = await listNeededFiles(db)
  const missing: NeededFile[] = []
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH)
    const found = await Promise.all(batch.map(({ key }) => storage.head(key)))
    missing.push(...batch.filter((_, n) => found[n] === undefined))
  }
  return { checked: files.length, missing }
}
