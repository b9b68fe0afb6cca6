import type { Query, Tx } from '../db/db.ts'
import { enqueue, runSoon, withdraw } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteObjectsRequest } from './delete-objects.job.ts'

/** Longer than anything takes from the first byte of an object to the row that names it. */
const UNCLAIMED_LIFE_MS = 60 * 60 * 1000

/**
 * To be called before an object is stored: orders that it be deleted again. The order is taken back
 * in the transaction that makes the object somebody's (`claimObject`), so whatever happens in
 * between, a dying process included, leaves no object behind.
 */
export async function expectObject(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: string,
): Promise<void> {
  const dueAt = new Date(clock().getTime() + UNCLAIMED_LIFE_MS)
  await enqueue(db, { ...deleteObjectsRequest([key]), dueAt })
}

/**
 * Makes the object somebody's, in the transaction that stores its key. Throws 503
 * SERVICE_UNAVAILABLE when that took so long that the object was given up.
 */
export async function claimObject(tx: Tx, key: string): Promise<void> {
  if (await withdraw(tx, deleteObjectsRequest([key]))) return
  throw new ServiceError('SERVICE_UNAVAILABLE', {
    headers: { 'retry-after': '1' },
    note: 'it took so long to claim a stored object that it was given up',
  })
}

/** Deletes the object soon, unless it was claimed: then nothing happens. */
export async function giveUpObject(query: Query, key: string): Promise<void> {
  // When this fails, the order that was given first still stands.
  await runSoon(query, deleteObjectsRequest([key])).catch(() => {})
}
