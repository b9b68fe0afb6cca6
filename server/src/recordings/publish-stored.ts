import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { deleteObjectsRequest } from '../storage/delete-objects.job.ts'
import { startAutomatically } from '../transcriptions/start-transcription.ts'
import { failRecording } from './fail-recording.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import { moveRecording } from './move-recording.ts'
import type { Recording } from './recording.ts'
import { deleteSegmentsOf, listSegments } from './segment-store.ts'
import { LOOK_AGAIN_MS, MISSING_MAX_MS } from './store-whole.ts'

/**
 * Makes a recording available once the storage really has its file, as large as it was told. Answers
 * when to look again; a file that is not there in ten minutes fails the recording.
 */
export async function publishStored(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  { id, tenantId, storageKey, sizeBytes, updatedAt }: Recording,
): Promise<Date | undefined> {
  const stored = storageKey === null ? undefined : await storage.head(storageKey)
  const isThere = stored?.sizeBytes === sizeBytes
  const now = clock()
  const isLost = !isThere && now.getTime() >= updatedAt.getTime() + MISSING_MAX_MS
  if (!isThere && !isLost) return new Date(now.getTime() + LOOK_AGAIN_MS)
  await inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, { tenantId, recordingId: id })
    if (recording?.status !== 'uploaded') return
    if (isLost) return failRecording(tx, recording, { reason: 'storage_missing', now })
    await moveRecording(tx, recording, { to: 'available', at: now })
    await startAutomatically(tx, recording)
    const parts = (await listSegments(tx, id)).map((each) => each.storageKey)
    const spare = parts.filter((key) => key !== storageKey)
    if (spare.length > 0) await enqueue(tx, deleteObjectsRequest(spare))
    await deleteSegmentsOf(tx, id)
  })
  return undefined
}
