import { randomUUID } from 'node:crypto'
import { ATTACHMENT_MAX_BYTES } from '@interview-room/contract/limits.ts'
import type { Tx } from '../../platform/db/db.ts'
import { refuseUndecodable } from '../../platform/images/refuse-image.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { Storage, StoredObject } from '../../platform/ports/storage.ts'
import { deleteObjectsRequest } from '../../platform/storage/delete-objects.job.ts'
import { type GivenBytes, requireStored } from '../../platform/storage/returned-bytes.ts'
import { claimObject, expectObject, giveUpObject } from '../../platform/storage/unclaimed-object.ts'
import { refuseContent } from '../handouts/watch-file.ts'
import { HEAD_BYTES, kindOfMime } from './attachment-kind.ts'
import { markUsed, type Upload } from './attachment-store.ts'
import type { Attachment } from './message.ts'

type FreezeDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

/** A copy of an uploaded file, at a key that no client can write to. */
export interface Frozen {
  upload: Upload
  file: Attachment
}

/**
 * Copies the upload and passes the copy to `work`, which claims it with `claimFrozen`. An unclaimed copy is deleted.
 *
 * Throws 409 UPLOAD_NOT_FOUND, 413 FILE_TOO_LARGE, 422 UNSUPPORTED_FILE_TYPE, 503 SERVICE_UNAVAILABLE.
 */
export async function withFrozen<T>(
  deps: FreezeDeps,
  upload: Upload,
  work: (frozen: Frozen) => Promise<T>,
): Promise<T> {
  const { db, storage } = deps
  const uploaded = await measure(storage, upload.uploadKey)
  const key = `${tenantOf(upload)}/chat/${randomUUID()}`
  await expectObject(deps, key)
  try {
    const copy = await storage.copy(upload.uploadKey, key, uploaded)
    if (copy === undefined) throw notUploaded('the upload was replaced while it was taken over')
    const { name, mime } = upload
    await refuseUnlike(storage, { key, mime, given: copy })
    await refuseUndecodable(storage, { key, mime, field: 'attachment_id', given: copy })
    return await work({ upload, file: { key, name, mime, sizeBytes: copy.sizeBytes } })
  } finally {
    await giveUpObject(db, key)
  }
}

/** Claims the copy in the transaction of the message that uses it. Throws 409 UPLOAD_NOT_FOUND, 503. */
export async function claimFrozen(tx: Tx, frozen: Frozen, messageId: string): Promise<void> {
  const { upload, file } = frozen
  if (!(await markUsed(tx, upload.id, messageId))) throw notUploaded()
  await claimObject(tx, file.key)
  // A later write to this key is deleted by the sweep of old uploads.
  await enqueue(tx, deleteObjectsRequest([upload.uploadKey]))
}

/** The same refusal for an upload of another sender, so that it reveals nothing. */
export function notUploaded(note?: string): ServiceError {
  return new ServiceError('UPLOAD_NOT_FOUND', note === undefined ? {} : { note })
}

function tenantOf({ uploadKey }: Upload): string {
  return uploadKey.slice(0, uploadKey.indexOf('/'))
}

async function measure(storage: Storage, uploadKey: string): Promise<StoredObject> {
  const object = await storage.head(uploadKey)
  if (object === undefined) throw notUploaded()
  if (object.sizeBytes <= ATTACHMENT_MAX_BYTES) return object
  throw refuseField('FILE_TOO_LARGE', {
    field: 'attachment_id',
    code: 'TOO_LARGE',
    message: `must have at most ${ATTACHMENT_MAX_BYTES} bytes`,
  })
}

async function refuseUnlike(
  storage: Storage,
  { key, mime, given }: { key: string; mime: string; given: GivenBytes },
): Promise<void> {
  const head = await readHead(storage, key)
  if (kindOfMime(mime)?.isLike(head) === true) return
  await requireStored(storage, key, given)
  throw refuseContent('attachment_id')
}

async function readHead(storage: Storage, key: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  // Leaving the loop closes the stream.
  for await (const chunk of await storage.read(key, { isAwaited: true })) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}
