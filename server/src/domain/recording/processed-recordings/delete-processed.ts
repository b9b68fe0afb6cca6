import { inTransaction } from '../../../platform/db/db.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { discardUpload } from '../../../platform/storage/discard-upload.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { deleteProcessedRow, findProcessed } from './store.ts'

/**
 * Deletes the processed recording. Jobs delete its objects. A missing one is no error. Throws 404 NOT_FOUND for the
 * recording, 409 PROCESSED_RECORDING_NOT_AVAILABLE while it is processing.
 */
export async function deleteProcessed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: RecordingKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockRecording(tx, key)
    const processed = await findProcessed(tx, key, 'update')
    if (processed === undefined) return
    const { id, status, storageKey } = processed
    if (status === 'processing') throw new ServiceError('PROCESSED_RECORDING_NOT_AVAILABLE')
    await deleteProcessedRow(tx, id)
    if (storageKey !== null) await enqueue(tx, deleteObjectsRequest([storageKey]))
    if (processed.source === 'upload') await discardUpload(tx, processed, clock())
  })
}
