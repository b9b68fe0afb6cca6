import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { S3Config } from '../../config.ts'
import type { Clock } from '../../lib/clock.ts'
import { contentDispositionOf } from '../content-disposition.ts'
import { checkObjectKey } from '../object-key.ts'
import { watchSource } from '../source.ts'
import { type Storage, StorageError, type StoredObject } from '../storage.ts'
import { createPresigner } from './presigner.ts'
import { attempt, isGone, isOtherContent, nameOf, undefinedWhen } from './s3-answers.ts'
import { createS3Client, S3_TIMEOUTS, type S3Timeouts } from './s3-client.ts'

/** As many keys as one request may hold. */
const DELETE_BATCH = 1000

interface S3Options {
  clock: Clock
  timeouts?: S3Timeouts
}

/** Any server that speaks the S3 API. Without keys the SDK looks for them where it always does. */
export function createS3Storage(
  config: S3Config,
  { clock, timeouts = S3_TIMEOUTS }: S3Options,
): Storage {
  const client = createS3Client(config, timeouts)
  const presign = createPresigner(client, config, clock)
  const { bucket: Bucket } = config
  const small = () => ({
    requestTimeout: timeouts.smallAnswer,
    abortSignal: AbortSignal.timeout(timeouts.small),
  })

  function at(key: string): { Bucket: string; Key: string } {
    checkObjectKey(key)
    return { Bucket, Key: key }
  }

  async function head(key: string): Promise<StoredObject | undefined> {
    const command = new HeadObjectCommand(at(key))
    const found = await attempt('head', () =>
      client.send(command, small()).catch(undefinedWhen(isGone)),
    )
    return found && { sizeBytes: found.ContentLength ?? 0, etag: found.ETag ?? '' }
  }

  return {
    head,

    async put(key, body, { mime }) {
      const target = at(key)
      const source = watchSource(body)
      try {
        const params = { ...target, Body: source.body, ContentType: mime }
        // Of several parts from 5 MiB on; it takes them back when the stream breaks.
        await attempt('put', () => new Upload({ client, params }).done())
        return { sizeBytes: source.sizeBytes }
      } catch (error) {
        body.destroy()
        throw source.brokenBy === undefined ? error : source.brokenBy.error
      }
    },

    async read(key) {
      const command = new GetObjectCommand(at(key))
      // No signal: it would cut off the body, which has its own idle timeout.
      const { Body } = await attempt('read', () =>
        client.send(command, { requestTimeout: timeouts.smallAnswer }),
      )
      return Body as Readable
    },

    async copy(from, to, { etag }) {
      const { Key } = at(from)
      const command = new CopyObjectCommand({
        ...at(to),
        CopySource: `${Bucket}/${Key}`,
        CopySourceIfMatch: etag,
      })
      const copied = await attempt('copy', () =>
        client
          .send(command, {
            requestTimeout: timeouts.copy,
            abortSignal: AbortSignal.timeout(timeouts.copy),
          })
          .catch(undefinedWhen(isOtherContent)),
      )
      if (copied === undefined) return undefined
      const made = await head(to)
      if (made === undefined) throw new StorageError('S3: copy failed: the object is not there')
      return made
    },

    async delete(keys) {
      const objects = keys.map((key) => ({ Key: at(key).Key }))
      for (let first = 0; first < objects.length; first += DELETE_BATCH) {
        const Objects = objects.slice(first, first + DELETE_BATCH)
        const command = new DeleteObjectsCommand({ Bucket, Delete: { Quiet: true, Objects } })
        const { Errors } = await attempt('delete', () => client.send(command, small()))
        refuseFailedKeys(Errors ?? [])
      }
    },

    signGet: (key, { expiresInSec, mime, ...shown }) =>
      presign({
        method: 'GET',
        key,
        expiresInSec,
        query: {
          'response-content-disposition': contentDispositionOf(shown),
          'response-content-type': mime,
        },
      }),

    signPut: (key, { expiresInSec }) => presign({ method: 'PUT', key, expiresInSec, query: {} }),

    async check() {
      await attempt('check', () => client.send(new HeadBucketCommand({ Bucket }), small()))
    },
  }
}

/** One answer for many keys: 200 says nothing of the single one. */
function refuseFailedKeys(errors: readonly { Code?: string | undefined }[]): void {
  const failed = errors.filter(({ Code }) => Code !== 'NoSuchKey')
  if (failed.length === 0) return
  throw new StorageError(`S3: delete failed for ${failed.length} keys: ${nameOf(failed[0]?.Code)}`)
}
