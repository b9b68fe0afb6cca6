import { inTransaction } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { findUnnamed } from './named-objects-store.ts'

const DAY_SEC = 24 * 60 * 60
/** Longer than the time from the first byte of any object to the row that names it. */
const ORPHAN_AFTER_MS = DAY_SEC * 1000

/**
 * Deletes the objects that no row names and that are older than a day, once a day. Such objects remain when a row is
 * restored from a backup, or after an unforeseen failure. Each deletion is a job of its own, so a failing one does not
 * delay the others.
 */
export function sweepObjectsJob({
  db,
  storage,
  clock,
}: Pick<Deps, 'db' | 'storage' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'sweep-objects',
    everySec: DAY_SEC,
    clock,
    async run({ signal, log }) {
      let after: string | undefined
      do {
        signal.throwIfAborted()
        const { objects, next } = await storage.list(after)
        const before = clock().getTime() - ORPHAN_AFTER_MS
        const old = objects.filter(({ storedAt }) => storedAt.getTime() < before)
        const keys = old.map(({ key }) => key)
        // Read all rows at one moment: a key that moves from one row to another meanwhile would be in neither.
        const orphans = await inTransaction(db, (tx) => findUnnamed(tx, keys), { isSnapshot: true })
        if (orphans.length > 0) {
          await enqueue(db, deleteObjectsRequest(orphans))
          log.warn({ count: orphans.length }, 'orphaned objects are deleted')
        }
        after = next
      } while (after !== undefined)
      return 'done'
    },
  })
}
