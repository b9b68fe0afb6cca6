import { inTransaction } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import { logDownloads } from './access-log-store.ts'
import {
  fileTypeOf,
  isReady,
  type ReadyRecording,
  type Recording,
  type RecordingKey,
} from './recording.ts'
import { findRecording } from './store.ts'

export { logDownloads }

/**
 * Issues a signed address of the recording's file, valid for 60..10800 seconds, and writes a row into the access log.
 * Throws 404 NOT_FOUND, 409 RECORDING_NOT_AVAILABLE.
 */
export async function issueDownloadUrl(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  key: RecordingKey,
  expiresInSec: number,
): Promise<SignedUrl> {
  const { id, storageKey, outputMode } = refuseUnlessReady(await findRecording(db, key))
  const { extension, mime } = fileTypeOf(outputMode)
  const issuedAt = clock()
  const signed = await storage.signGet(storageKey, {
    expiresInSec,
    fileName: `recording-${id}.${extension}`,
    disposition: 'attachment',
    mime,
  })
  await inTransaction(db, async (tx) => {
    // Log before returning the address, and check again: the recording may have been deleted meanwhile.
    refuseUnlessReady(await findRecording(tx, key, 'for share'))
    await logDownloads(tx, [{ ...key, issuedAt, expiresAt: signed.expiresAt }])
  })
  return signed
}

function refuseUnlessReady(recording: Recording | undefined): ReadyRecording {
  if (recording === undefined) throw new ServiceError('NOT_FOUND')
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  return recording
}
