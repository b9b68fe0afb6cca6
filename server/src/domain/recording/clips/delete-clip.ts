import { inTransaction } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import { type ClipId, deleteClipRow, findClip, findRecordingOf } from './store.ts'

/**
 * Deletes a clip or a reel. A job deletes its file, and a worker that is making it notices and stops. A repeat is no error. Throws
 * 404 NOT_FOUND.
 */
export async function deleteClip(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: ClipId,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const key = await findRecordingOf(tx, id)
    if (key === undefined) throw new ServiceError('NOT_FOUND')
    await lockRecordingIfAny(tx, key)
    const clip = await findClip(tx, id, 'update')
    if (clip === undefined) return
    await deleteClipRow(tx, clip, clock())
    if (clip.storageKey !== null) await enqueue(tx, deleteObjectsRequest([clip.storageKey]))
  })
}
