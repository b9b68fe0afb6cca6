import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config.ts'
import type { Storage } from '../storage.ts'

const CHECK_TIMEOUT_MS = 2_000

/** Any server that speaks the S3 API. Without keys the SDK looks for them where it always does. */
export function createS3Storage(config: S3Config): Storage {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = config
  const client = new S3Client({
    region,
    forcePathStyle,
    maxAttempts: 2,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  })
  return {
    async check() {
      const abortSignal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
      await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal })
    },
  }
}
