import { randomUUID } from 'node:crypto'
import { PROCESSED_UPLOAD_MAX_BYTES } from '@interview-room/contract/limits.ts'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { ServiceError } from '../lib/service-error.ts'
import { holdRecording } from '../recordings/hold-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { Storage } from '../storage/storage.ts'
import { discardCopyRequest } from './discard-copy.job.ts'
import { discardUpload } from './discard-upload.ts'
import { moveProcessed } from './move-processed.ts'
import {
  isCompletable,
  type ProcessedRecording,
  type ProcessedUpload,
} from './processed-recording.ts'
import { findProcessed, type ProcessedFile } from './store.ts'

type CompleteDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

/** An object that somebody still writes to is another one at every look; then it is not there yet. */
const LOOKS_MAX = 3

/**
 * Freezes what was uploaded: copies it to a place that nobody can write to, measures it and makes
 * it available. `durationSec` is what the tenant says, not measured.
 *
 * Throws 404 NOT_FOUND, 409 PROCESSED_RECORDING_NOT_AVAILABLE, 409 UPLOAD_NOT_FOUND,
 * 413 FILE_TOO_LARGE above 5 GiB.
 */
export async function completeUpload(
  deps: CompleteDeps,
  key: RecordingKey,
  durationSec: number | null,
): Promise<ProcessedRecording> {
  const { db, clock } = deps
  const pending = refuseUnlessCompletable(await findProcessed(db, key))
  const file = await freeze(deps, pending)
  return inTransaction(db, async (tx) => {
    const { roomId } = await holdRecording(tx, key)
    const held = refuseUnlessCompletable(await findHeld(tx, key, pending.id))
    const at = clock()
    const done = { to: 'available', file: { ...file, durationSec }, roomId, at } as const
    const completed = await moveProcessed(tx, held, done)
    if (completed === undefined) throw new ServiceError('PROCESSED_RECORDING_NOT_AVAILABLE')
    await discardUpload(tx, held, at)
    return completed
  })
}

function refuseUnlessCompletable(processed: ProcessedRecording | undefined): ProcessedUpload {
  if (processed === undefined) throw new ServiceError('NOT_FOUND')
  if (isCompletable(processed)) return processed
  throw new ServiceError('PROCESSED_RECORDING_NOT_AVAILABLE')
}

/** Not one that took the place of the frozen one meanwhile. */
async function findHeld(
  tx: Tx,
  key: RecordingKey,
  id: string,
): Promise<ProcessedRecording | undefined> {
  const held = await findProcessed(tx, key, 'update')
  return held?.id === id ? held : undefined
}

/** The intention to copy is a row before the copy is made: whoever dies in between leaves nothing. */
async function freeze(
  { db, storage, clock }: CompleteDeps,
  { id, tenantId, uploadKey }: ProcessedUpload,
): Promise<Omit<ProcessedFile, 'durationSec'>> {
  let { etag } = await measure(storage, uploadKey)
  const storageKey = `${tenantId}/processed-recordings/${randomUUID()}`
  await enqueue(db, discardCopyRequest({ id, storageKey }, clock()))
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const copy = await storage.copy(uploadKey, storageKey, { etag })
    if (copy !== undefined) return { storageKey, sizeBytes: copy.sizeBytes }
    ;({ etag } = await measure(storage, uploadKey))
  }
  throw new ServiceError('UPLOAD_NOT_FOUND', { note: 'the upload does not come to rest' })
}

async function measure(storage: Storage, uploadKey: string): Promise<{ etag: string }> {
  const object = await storage.head(uploadKey)
  if (object === undefined) throw new ServiceError('UPLOAD_NOT_FOUND')
  if (object.sizeBytes > PROCESSED_UPLOAD_MAX_BYTES) throw new ServiceError('FILE_TOO_LARGE')
  return object
}
