import { randomUUID } from 'node:crypto'
import { PROCESSED_UPLOAD_MAX_BYTES } from '@interview-room/contract/limits.ts'
import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import { ServiceError } from '../../../platform/lib/service-error.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Storage, StoredObject } from '../../../platform/ports/storage.ts'
import { discardUpload } from '../../../platform/storage/discard-upload.ts'
import {
  claimObject,
  expectObject,
  giveUpObject,
} from '../../../platform/storage/unclaimed-object.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { moveProcessed } from './move-processed.ts'
import {
  isCompletable,
  type ProcessedRecording,
  type ProcessedUpload,
} from './processed-recording.ts'
import { findProcessed } from './store.ts'

type CompleteDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

/** An object that changes at every check is still being written, so it does not exist yet. */
const LOOKS_MAX = 3

/**
 * Freezes an upload: copies it to a key that no client can write to, measures the copy and makes it available. A failure at
 * any step leaves no object behind. `durationSec` comes from the tenant and is not measured.
 *
 * Throws 404 NOT_FOUND, 409 PROCESSED_RECORDING_NOT_AVAILABLE, 409 UPLOAD_NOT_FOUND, 413 FILE_TOO_LARGE above 5 GiB.
 */
export async function completeUpload(
  deps: CompleteDeps,
  key: RecordingKey,
  durationSec: number | null,
): Promise<ProcessedRecording> {
  const { db, storage, clock } = deps
  const pending = refuseUnlessCompletable(await findProcessed(db, key))
  const uploaded = await measure(storage, pending.uploadKey)

  const storageKey = `${pending.tenantId}/processed-recordings/${randomUUID()}`
  await expectObject(deps, storageKey)
  try {
    const sizeBytes = await freeze(storage, pending, uploaded, storageKey)
    const file = { storageKey, sizeBytes, durationSec }
    return await inTransaction(db, async (tx) => {
      const { roomId } = await lockRecording(tx, key)
      const locked = refuseUnlessCompletable(await findLockedUpload(tx, key, pending.id))
      return makeAvailable(tx, locked, { file, roomId, at: clock() })
    })
  } catch (error) {
    await giveUpObject(db, storageKey)
    throw error
  }
}

function refuseUnlessCompletable(processed: ProcessedRecording | undefined): ProcessedUpload {
  if (processed === undefined) throw new ServiceError('NOT_FOUND')
  if (isCompletable(processed)) return processed
  throw new ServiceError('PROCESSED_RECORDING_NOT_AVAILABLE')
}

/** Finds only the frozen upload, not one that replaced it meanwhile. */
async function findLockedUpload(
  tx: Tx,
  key: RecordingKey,
  id: string,
): Promise<ProcessedRecording | undefined> {
  const locked = await findProcessed(tx, key, 'update')
  return locked?.id === id ? locked : undefined
}

async function measure(storage: Storage, uploadKey: string): Promise<StoredObject> {
  const object = await storage.head(uploadKey)
  // An empty file is what a client leaves that tries again with a stream it has read already.
  if (object === undefined || object.sizeBytes === 0) throw new ServiceError('UPLOAD_NOT_FOUND')
  if (object.sizeBytes > PROCESSED_UPLOAD_MAX_BYTES) throw new ServiceError('FILE_TOO_LARGE')
  return object
}

/** The size of the copy. Only what was measured is copied, not what came in its place since. */
async function freeze(
  storage: Storage,
  pending: ProcessedUpload,
  uploaded: StoredObject,
  storageKey: string,
): Promise<number> {
  let found = uploaded
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const copy = await storage.copy(pending.uploadKey, storageKey, found)
    if (copy !== undefined) return copy.sizeBytes
    found = await measure(storage, pending.uploadKey)
  }
  throw new ServiceError('UPLOAD_NOT_FOUND', { note: 'the upload does not come to rest' })
}

async function makeAvailable(
  tx: Tx,
  locked: ProcessedUpload,
  {
    file,
    roomId,
    at,
  }: {
    file: { storageKey: string; sizeBytes: number; durationSec: number | null }
    roomId: string
    at: Date
  },
): Promise<ProcessedRecording> {
  await claimObject(tx, file.storageKey)
  const completed = await moveProcessed(tx, locked, { to: 'available', file, roomId, at })
  if (completed === undefined) throw new ServiceError('PROCESSED_RECORDING_NOT_AVAILABLE')
  await discardUpload(tx, locked, at)
  return completed
}
