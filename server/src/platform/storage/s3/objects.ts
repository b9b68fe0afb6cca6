import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { eachOrThrow } from '../../lib/each-alone.ts'
import {
  type NewObject,
  type ObjectPage,
  type SizedObject,
  StorageError,
  type StoredObject,
} from '../../ports/storage.ts'
import { checkObjectKey, isObjectKey } from '../object-key.ts'
import { storeStream } from '../store-stream.ts'
import { attempt, isAnswer, isGone, isOtherContent, nameOf, undefinedWhen } from './s3-answers.ts'
import type { S3Timeouts } from './s3-client.ts'

export interface S3Bucket {
  client: S3Client
  name: string
  timeouts: S3Timeouts
}

/** A lower bound; Amazon copies some 100 MB a second. */
const COPIED_BYTES_PER_SEC = 20_000_000
/** The most keys in one request. */
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

/** One part after the other: in parallel each has a share of the bandwidth, and on a slow line none is done in time. */
const IN_TURN = { queueSize: 1 } as const

/** S3 takes 10,000 parts; a stream may be a little longer than expected. */
const PARTS_MAX = 9_000
const PART_BYTES_MIN = 5 * 1024 ** 2

/** Uploads in parts from 5 MiB on, which are aborted when the stream breaks. */
export async function putObject(
  bucket: S3Bucket,
  { key, mime, expectedBytes = 0 }: NewObject & { key: string },
  body: Readable,
): Promise<{ sizeBytes: number }> {
  const target = at(bucket, key)
  return storeStream(body, (Body) => {
    const params = { ...target, Body, ContentType: mime }
    const partSize = Math.max(PART_BYTES_MIN, Math.ceil(expectedBytes / PARTS_MAX))
    const options = { params, partSize, ...IN_TURN }
    return attempt('put', () => new Upload({ client: bucket.client, ...options }).done())
  })
}

/**
 * The same while somebody waits. A storage that answers nothing is found before the sender's bytes are
 * taken; what was begun of several parts is taken back, as far as the storage does it immediately.
 */
export async function putAwaited(
  bucket: S3Bucket,
  { key, mime }: { key: string; mime: string },
  body: Readable,
): Promise<{ sizeBytes: number }> {
  const target = at(bucket, key)
  return storeStream(body, (Body) =>
    attempt('put', async () => {
      const look = new HeadBucketCommand({ Bucket: bucket.name })
      // Whatever it answers: that it does.
      await bucket.client.send(look, small(bucket)).catch(undefinedWhen(isAnswer))
      const params = { ...target, Body, ContentType: mime }
      const options = { params, ...IN_TURN, leavePartsOnError: true }
      const upload = new Upload({ client: bucket.client, ...options })
      try {
        await upload.done()
      } catch (error) {
        await takeBack(bucket, { ...target, UploadId: upload.uploadId })
        throw error
      }
    }),
  )
}

const TAKE_BACK_MS = 900

/** Parts that stay are removed by the bucket's own rule for unfinished uploads. */
async function takeBack(
  { client }: S3Bucket,
  { UploadId, ...target }: { Bucket: string; Key: string; UploadId: string | undefined },
): Promise<void> {
  if (UploadId === undefined) return
  const command = new AbortMultipartUploadCommand({ ...target, UploadId })
  await client
    .send(command, { abortSignal: AbortSignal.timeout(TAKE_BACK_MS) })
    .catch(() => undefined)
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
  { from, to, etag, sizeBytes }: { from: string; to: string; etag: string; sizeBytes: number },
): Promise<StoredObject | undefined> {
  const { Bucket, Key } = at(bucket, from)
  const command = new CopyObjectCommand({
    ...at(bucket, to),
    CopySource: `${Bucket}/${Key}`,
    CopySourceIfMatch: etag,
  })
  const copy = Math.ceil(bucket.timeouts.copy + (sizeBytes / COPIED_BYTES_PER_SEC) * 1000)
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
  const batches: (typeof objects)[] = []
  for (let first = 0; first < objects.length; first += DELETE_BATCH) {
    batches.push(objects.slice(first, first + DELETE_BATCH))
  }
  await eachOrThrow(batches, async (Objects) => {
    const command = deletionOf(bucket, Objects)
    const { Errors } = await attempt('delete', () => bucket.client.send(command, small(bucket)))
    refuseFailedKeys(Errors ?? [])
  })
}

/**
 * With Content-MD5 and no other checksum. Amazon takes each of them here; many other servers demand this one, and the SDK
 * sends CRC32, whatever it is set to.
 */
function deletionOf({ name }: S3Bucket, Objects: { Key: string }[]): DeleteObjectsCommand {
  const command = new DeleteObjectsCommand({
    Bucket: name,
    Delete: { Quiet: true, Objects },
    ChecksumAlgorithm: 'MD5',
  })
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      // It announces a header of the newer kind, which does not come.
      delete headers['x-amz-sdk-checksum-algorithm']
      return next(args)
    },
    { name: 'onlyContentMd5', step: 'build', priority: 'low' },
  )
  return command
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

export async function listObjectsWithPrefix(
  bucket: S3Bucket,
  prefix: string,
): Promise<SizedObject[]> {
  const { Bucket, Key: Prefix } = at(bucket, prefix)
  const found: SizedObject[] = []
  let isTruncated = true
  while (isTruncated) {
    // No object has the prefix itself as its key.
    const StartAfter = found.at(-1)?.key ?? Prefix
    const command = new ListObjectsV2Command({ Bucket, Prefix, StartAfter })
    const page = await attempt('list', () => bucket.client.send(command, small(bucket)))
    const { Contents = [] } = page
    found.push(...Contents.map(({ Key = '', Size = 0 }) => ({ key: Key, sizeBytes: Size })))
    isTruncated = page.IsTruncated === true && Contents.length > 0
  }
  return found.filter(({ key }) => isObjectKey(key))
}

export async function checkBucket(bucket: S3Bucket): Promise<void> {
  const command = new HeadBucketCommand({ Bucket: bucket.name })
  await attempt('check', () => bucket.client.send(command, small(bucket)))
}
