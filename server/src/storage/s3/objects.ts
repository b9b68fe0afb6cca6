import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { checkObjectKey, isObjectKey } from '../object-key.ts'
import { type ObjectPage, StorageError, type StoredObject } from '../storage.ts'
import { storeStream } from '../store-stream.ts'
import { attempt, isGone, isOtherContent, nameOf, undefinedWhen } from './s3-answers.ts'
import type { S3Timeouts } from './s3-client.ts'

export interface S3Bucket {
  client: S3Client
  name: string
  timeouts: S3Timeouts
}

/** As many keys as one request may hold. */
const DELETE_BATCH = 1000

function at({ name }: S3Bucket, key: string): { Bucket: string; Key: string } {
  checkObjectKey(key)
  return { Bucket: name, Key: key }
}

function small({ timeouts }: S3Bucket) {
  return {
    requestTimeout: timeouts.smallAnswer,
    abortSignal: AbortSignal.timeout(timeouts.small),
  }
}

/** In parts from 5 MiB on; they are taken back when the stream breaks. */
export async function putObject(
  bucket: S3Bucket,
  { key, mime }: { key: string; mime: string },
  body: Readable,
): Promise<{ sizeBytes: number }> {
  const target = at(bucket, key)
  return storeStream(body, (Body) => {
    const params = { ...target, Body, ContentType: mime }
    return attempt('put', () => new Upload({ client: bucket.client, params }).done())
  })
}

export async function readObject(bucket: S3Bucket, key: string): Promise<Readable> {
  const command = new GetObjectCommand(at(bucket, key))
  // No signal: it would cut off the body, which has its own idle timeout.
  const options = { requestTimeout: bucket.timeouts.smallAnswer }
  const { Body } = await attempt('read', () => bucket.client.send(command, options))
  return Body as Readable
}

export async function headObject(bucket: S3Bucket, key: string): Promise<StoredObject | undefined> {
  const command = new HeadObjectCommand(at(bucket, key))
  const found = await attempt('head', () =>
    bucket.client.send(command, small(bucket)).catch(undefinedWhen(isGone)),
  )
  return found && { sizeBytes: found.ContentLength ?? 0, etag: found.ETag ?? '' }
}

export async function copyObject(
  bucket: S3Bucket,
  { from, to, etag }: { from: string; to: string; etag: string },
): Promise<StoredObject | undefined> {
  const { Bucket, Key } = at(bucket, from)
  const command = new CopyObjectCommand({
    ...at(bucket, to),
    CopySource: `${Bucket}/${Key}`,
    CopySourceIfMatch: etag,
  })
  const { copy } = bucket.timeouts
  const options = { requestTimeout: copy, abortSignal: AbortSignal.timeout(copy) }
  const copied = await attempt('copy', () =>
    bucket.client.send(command, options).catch(undefinedWhen(isOtherContent)),
  )
  if (copied === undefined) return undefined
  const made = await headObject(bucket, to)
  if (made === undefined) throw new StorageError('S3: copy failed: the object is not there')
  return made
}

export async function deleteObjects(bucket: S3Bucket, keys: readonly string[]): Promise<void> {
  const objects = keys.map((key) => ({ Key: at(bucket, key).Key }))
  for (let first = 0; first < objects.length; first += DELETE_BATCH) {
    const Objects = objects.slice(first, first + DELETE_BATCH)
    const command = new DeleteObjectsCommand({
      Bucket: bucket.name,
      Delete: { Quiet: true, Objects },
    })
    const { Errors } = await attempt('delete', () => bucket.client.send(command, small(bucket)))
    refuseFailedKeys(Errors ?? [])
  }
}

/** One answer for many keys: 200 says nothing of the single one. */
function refuseFailedKeys(errors: readonly { Code?: string | undefined }[]): void {
  const failed = errors.filter(({ Code }) => Code !== 'NoSuchKey')
  if (failed.length === 0) return
  throw new StorageError(`S3: delete failed for ${failed.length} keys: ${nameOf(failed[0]?.Code)}`)
}

export async function listObjects(bucket: S3Bucket, after?: string): Promise<ObjectPage> {
  const command = new ListObjectsV2Command({
    Bucket: bucket.name,
    ...(after !== undefined && { StartAfter: after }),
  })
  const { Contents = [], IsTruncated } = await attempt('list', () =>
    bucket.client.send(command, small(bucket)),
  )
  const objects = Contents.flatMap(({ Key = '', LastModified }) =>
    isObjectKey(Key) && LastModified !== undefined ? [{ key: Key, storedAt: LastModified }] : [],
  )
  return { objects, next: IsTruncated === true ? Contents.at(-1)?.Key : undefined }
}

export async function checkBucket(bucket: S3Bucket): Promise<void> {
  const command = new HeadBucketCommand({ Bucket: bucket.name })
  await attempt('check', () => bucket.client.send(command, small(bucket)))
}
