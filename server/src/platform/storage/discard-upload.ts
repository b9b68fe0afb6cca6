import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { deleteObjectsRequest } from './delete-objects.job.ts'

/** The longest that a PUT may take which begins at the last moment of its address. */
const SLOWEST_PUT_MS = 60 * 60 * 1000

export interface Upload {
  uploadKey: string
  uploadExpiresAt: Date
}

/**
 * Removes an uploaded object: now, and again when nobody can write to its place any longer,
 * because a signed address stays usable until it expires.
 */
export async function discardUpload(
  tx: Tx,
  { uploadKey, uploadExpiresAt }: Upload,
  now: Date,
): Promise<void> {
  const request = deleteObjectsRequest([uploadKey])
  await enqueue(tx, request)
  const lastWriteAt = new Date(uploadExpiresAt.getTime() + SLOWEST_PUT_MS)
  if (lastWriteAt <= now) return
  await enqueue(tx, { ...request, key: `${request.key}:again`, dueAt: lastWriteAt })
}
