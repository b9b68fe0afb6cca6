import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { findUnnamed } from './named-objects.ts'

const KIND = 'sweep-objects'
const DAY_MS = 24 * 60 * 60 * 1000
/** Longer than anything takes from the first byte of an object to the row that names it. */
const ORPHAN_AFTER_MS = DAY_MS

export const sweepObjectsRequest: JobRequest = { kind: KIND, key: 'all' }

/**
 * Once a day, deletes the objects that nothing names and that are older than a day: what is left
 * when a row is restored from a backup, or when something went wrong that nobody has thought of.
 */
export function sweepObjectsJob({
  db,
  storage,
  clock,
}: Pick<Deps, 'db' | 'storage' | 'clock'>): Job {
  return {
    kind: KIND,
    async run({ signal, log }) {
      let after: string | undefined
      do {
        signal.throwIfAborted()
        const { objects, next } = await storage.list(after)
        const before = clock().getTime() - ORPHAN_AFTER_MS
        const old = objects.filter(({ storedAt }) => storedAt.getTime() < before)
        const orphans = await findUnnamed(
          db,
          old.map(({ key }) => key),
        )
        if (orphans.length > 0) {
          await storage.delete(orphans)
          log.warn({ count: orphans.length }, 'objects that nothing names were deleted')
        }
        after = next
      } while (after !== undefined)
      return { outcome: 'again', at: new Date(clock().getTime() + DAY_MS) }
    },
  }
}
