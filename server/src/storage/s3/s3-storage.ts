import type { S3Config } from '../../config.ts'
import type { Clock } from '../../lib/clock.ts'
import { contentDispositionOf } from '../content-disposition.ts'
import type { Storage } from '../storage.ts'
import { egressOutput } from './egress-output.ts'
import {
  checkBucket,
  copyObject,
  deleteObjects,
  headObject,
  listObjects,
  putObject,
  readObject,
  type S3Bucket,
} from './objects.ts'
import { createPresigner } from './presigner.ts'
import { createS3Client, S3_TIMEOUTS, type S3Timeouts } from './s3-client.ts'

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
  const bucket: S3Bucket = { client, name: config.bucket, timeouts }
  const presign = createPresigner(client, config, clock)
  const presignInside = createPresigner(client, { ...config, publicEndpoint: undefined }, clock)
  return {
    put: (key, body, { mime }) => putObject(bucket, { key, mime }, body),
    read: (key) => readObject(bucket, key),
    head: (key) => headObject(bucket, key),
    copy: (from, to, { etag }) => copyObject(bucket, { from, to, etag }),
    delete: (keys) => deleteObjects(bucket, keys),
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
    async locate(key, { forSec }) {
      const inside = { method: 'GET', key, expiresInSec: forSec, query: {} } as const
      return { kind: 'url', url: (await presignInside(inside)).url }
    },
    egressOutput: (key) => egressOutput(client, config, key),
    list: (after) => listObjects(bucket, after),
    check: () => checkBucket(bucket),
  }
}
