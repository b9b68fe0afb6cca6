import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config/storage-config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Storage, EgressOutput } from '../../ports/storage.ts'
import { contentDispositionOf } from '../content-disposition.ts'
import { checkObjectKey } from '../object-key.ts'
import { withoutSilence } from '../without-silence.ts'
import {
  checkBucket,
  copyObject,
  deleteObjects,
  headObject,
  listObjects,
  listObjectsWithPrefix,
  putAwaited,
  putObject,
  readObject,
  type S3Bucket,
} from './objects.ts'
import { createPresigner } from './presigner.ts'
import { attempt } from './s3-answers.ts'
import { createS3Client, S3_TIMEOUTS, type S3Timeouts } from './s3-client.ts'

/** Any server that speaks the S3 API. Without keys the SDK looks for them where it always does. */
export function createS3Storage(
  config: S3Config,
  clock: Clock,
  timeouts: S3Timeouts = S3_TIMEOUTS,
): Storage {
  const client = createS3Client(config, timeouts)
  const awaitedClient = createS3Client(config, timeouts, { isAwaited: true })
  const bucket: S3Bucket = { client, name: config.bucket, timeouts }
  const awaited: S3Bucket = { ...bucket, client: awaitedClient }
  const presign = createPresigner(client, config, clock)
  const presignInternal = createPresigner(client, { ...config, publicEndpoint: undefined }, clock)
  return {
    put: (key, body, { isAwaited = false, ...object }) =>
      isAwaited
        ? putAwaited(awaited, { key, ...object }, body)
        : putObject(bucket, { key, ...object }, body),
    async read(key, { isAwaited = false } = {}) {
      const body = await readObject(bucket, key)
      return isAwaited ? withoutSilence(body, timeouts.silence) : body
    },
    head: (key) => headObject(bucket, key),
    copy: (from, to, { etag, sizeBytes }) => copyObject(bucket, { from, to, etag, sizeBytes }),
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
      return { kind: 'url', url: (await presignInternal(inside)).url }
    },
    egressOutput: (key) => egressOutput(client, config, key),
    list: (after) => listObjects(bucket, after),
    listWithPrefix: (prefix) => listObjectsWithPrefix(bucket, prefix),
    check: () => checkBucket(bucket),
  }
}

/**
 * The bucket as sent with an egress request: with the keys that were set for it, else with those that
 * the service itself uses.
 */
async function egressOutput(
  client: S3Client,
  config: S3Config,
  key: string,
): Promise<EgressOutput> {
  checkObjectKey(key)
  const { bucket, forcePathStyle, egress } = config
  const own = () => attempt('egress', () => client.config.credentials())
  const { accessKeyId, secretAccessKey, sessionToken } = egress.keys ?? (await own())
  return {
    kind: 's3',
    bucket,
    key,
    region: await client.config.region(),
    endpoint: egress.endpoint ?? config.endpoint,
    forcePathStyle,
    accessKeyId,
    secretAccessKey,
    sessionToken,
  }
}
