import { pipeline, type Readable, Transform } from 'node:stream'
import type { Query, Tx } from '../db/db.ts'
import { enqueue, putOff, runSoon, withdraw } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Deps } from '../ports/deps.ts'
import type { NewObject } from '../ports/storage.ts'
import { deleteObjectsRequest, deleteUnclaimedRequest } from './delete-objects.job.ts'

/** Longer than any operation takes from the last bytes of an object to the row that names it. */
const UNCLAIMED_LIFE_MS = 60 * 60 * 1000
/** How often the deletion is postponed while the upload continues. */
const PUT_OFF_EVERY_MS = 5 * 60 * 1000

/**
 * Call it before an object is stored: it orders the object's deletion. The order is withdrawn
 * in the transaction that stores the object's key (`claimObject`), so whatever happens in
 * between, a dying process included, leaves no object behind.
 */
export async function expectObject(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: string,
): Promise<void> {
  const dueAt = new Date(clock().getTime() + UNCLAIMED_LIFE_MS)
  await enqueue(db, deleteUnclaimedRequest(key, dueAt))
}

/**
 * The same, and stores the object. However long that takes: the order is put off while the storage takes more of it.
 * Throws `StorageError`, and what the body throws, which is used up or destroyed in any case.
 */
export async function putExpected(
  deps: Pick<Deps, 'db' | 'clock' | 'storage'>,
  key: string,
  { body, ...object }: NewObject & { body: Readable },
): Promise<{ sizeBytes: number }> {
  const taken = new Transform({
    transform(chunk, _encoding, done) {
      void putOffIfDue().finally(() => done(null, chunk))
    },
  })
  // The storage throws what breaks the body; it may break before the storage reads.
  taken.on('error', () => {})
  pipeline(body, taken, () => {})
  let putOffAt = deps.clock()
  async function putOffIfDue(): Promise<void> {
    const now = deps.clock()
    if (now.getTime() < putOffAt.getTime() + PUT_OFF_EVERY_MS) return
    putOffAt = now
    const until = new Date(now.getTime() + UNCLAIMED_LIFE_MS)
    // When this fails, the order stands for long enough to try again.
    await putOff(deps.db, deleteObjectsRequest([key]), until).catch(() => {})
  }
  try {
    await expectObject(deps, key)
    return await deps.storage.put(key, taken, object)
  } finally {
    taken.destroy()
  }
}

/**
 * Claims the object in the transaction that stores its key. Throws 503 SERVICE_UNAVAILABLE if that took so long that the object was
 * given up.
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
