import { inTransaction } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import {
  type AddressRequest,
  dispositionOf,
  lifeSecOf,
  logDownloads,
} from '../recordings/issue-download-url.ts'
import { fileTypeOf, type RecordingKey } from '../recordings/recording.ts'
import type { ProcessedRecording } from './processed-recording.ts'
import { findOutputMode, findProcessed } from './store.ts'

/**
 * Issues a signed address of the processed file and writes a row into the access log. Throws
 * 404 NOT_FOUND, 409 PROCESSED_RECORDING_NOT_AVAILABLE.
 */
export async function issueProcessedDownloadUrl(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  key: RecordingKey,
  request: AddressRequest,
): Promise<SignedUrl> {
  const { id, recordingId, storageKey } = refuseUnlessAvailable(await findProcessed(db, key))
  const { extension, mime } = fileTypeOf(await findOutputMode(db, recordingId))
  const issuedAt = clock()
  const signed = await storage.signGet(storageKey, {
    expiresInSec: lifeSecOf(request, issuedAt),
    fileName: `recording-${recordingId}-processed.${extension}`,
    disposition: dispositionOf(request),
    mime,
  })
  await inTransaction(db, async (tx) => {
    // Log before returning the address, and check again: the file may have been deleted or replaced meanwhile.
    const locked = refuseUnlessAvailable(await findProcessed(tx, key, 'share'))
    if (locked.id !== id) throw new ServiceError('NOT_FOUND')
    const { expiresAt } = signed
    await logDownloads(tx, [{ ...key, ...request, processedRecordingId: id, issuedAt, expiresAt }])
  })
  return signed
}

type AvailableProcessed = Extract<ProcessedRecording, { status: 'available' }>

function refuseUnlessAvailable(processed: ProcessedRecording | undefined): AvailableProcessed {
  if (processed === undefined) throw new ServiceError('NOT_FOUND')
  if (processed.status === 'available') return processed
  throw new ServiceError('PROCESSED_RECORDING_NOT_AVAILABLE')
}
