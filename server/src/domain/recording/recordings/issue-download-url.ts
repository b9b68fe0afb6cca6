import { VIEWER_URL_MAX_SEC } from '@interview-room/contract/limits.ts'
import { inTransaction } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { SignedUrl } from '../../../platform/ports/storage.ts'
import { type Accessor, logDownloads } from './access-log-store.ts'
import {
  fileTypeOf,
  isReady,
  type ReadyRecording,
  type Recording,
  type RecordingKey,
} from './recording.ts'
import { findRecording } from './store.ts'

export { logDownloads }

/** An address that somebody asks for. */
export interface AddressRequest {
  accessor: Accessor
  /** Seconds that were asked for, 60..10800. */
  expiresInSec: number
  /** A file for a player opens in the browser; any other is saved. */
  purpose?: 'playback'
}

export function dispositionOf({ purpose }: AddressRequest): 'inline' | 'attachment' {
  return purpose === 'playback' ? 'inline' : 'attachment'
}

/** Seconds that the address is valid. A viewer's lives for five minutes at most, and never longer than the token. */
export function lifeSecOf(
  { accessor: { viewer }, expiresInSec }: AddressRequest,
  now: Date,
): number {
  if (viewer === null) return expiresInSec
  const leftSec = Math.ceil((viewer.expiresAt.getTime() - now.getTime()) / 1000)
  return Math.max(1, Math.min(expiresInSec, VIEWER_URL_MAX_SEC, leftSec))
}

/**
 * Issues a signed address of the recording's file and writes a row into the access log. Throws 404 NOT_FOUND, 409
 * RECORDING_NOT_AVAILABLE.
 */
export async function issueDownloadUrl(
  { db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>,
  key: RecordingKey,
  request: AddressRequest,
): Promise<SignedUrl> {
  const { id, storageKey, outputMode } = refuseUnlessReady(await findRecording(db, key))
  const { extension, mime } = fileTypeOf(outputMode)
  const issuedAt = clock()
  const signed = await storage.signGet(storageKey, {
    expiresInSec: lifeSecOf(request, issuedAt),
    fileName: `recording-${id}.${extension}`,
    disposition: dispositionOf(request),
    mime,
  })
  await inTransaction(db, async (tx) => {
    // Log before returning the address, and check again: the recording may have been deleted meanwhile.
    refuseUnlessReady(await findRecording(tx, key, 'for share'))
    await logDownloads(tx, [{ ...key, ...request, issuedAt, expiresAt: signed.expiresAt }])
  })
  return signed
}

function refuseUnlessReady(recording: Recording | undefined): ReadyRecording {
  if (recording === undefined) throw new ServiceError('NOT_FOUND')
  if (!isReady(recording)) throw new ServiceError('RECORDING_NOT_AVAILABLE')
  return recording
}
