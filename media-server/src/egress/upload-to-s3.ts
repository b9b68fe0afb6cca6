import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { S3Target } from './job.ts'

const CONNECT_TIMEOUT_MS = 5000
const SILENT_TIMEOUT_MS = 60_000
const ATTEMPTS_MAX = 4
const PART_BYTES_MIN = 8 * 1024 * 1024
/** As many as S3 takes. */
const PARTS_MAX = 10_000
const DEFAULT_REGION = 'us-east-1'

/** Streams a file to a bucket in parts; answers its address. Rejects when the signal aborts it. */
export async function uploadToS3(
  file: string,
  { key, upload }: { key: string; upload: S3Target },
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted()
  const { size } = await stat(file)
  const client = clientFor(upload, { attemptsMax: ATTEMPTS_MAX, silentMs: SILENT_TIMEOUT_MS })
  const transfer = new Upload({
    client,
    queueSize: 2,
    partSize: Math.max(PART_BYTES_MIN, Math.ceil(size / PARTS_MAX)),
    params: {
      Bucket: upload.bucket,
      Key: key,
      Body: createReadStream(file),
      ContentType: 'video/mp4',
      ...(upload.contentDisposition === ''
        ? {}
        : { ContentDisposition: upload.contentDisposition }),
      ...(Object.keys(upload.metadata).length === 0 ? {} : { Metadata: upload.metadata }),
    },
  })
  const abort = () => void transfer.abort()
  signal.addEventListener('abort', abort)
  try {
    await transfer.done()
    return addressOf(upload, key)
  } finally {
    signal.removeEventListener('abort', abort)
    client.destroy()
  }
}

/** `silentMs`: how long a request may wait for the next byte. */
export function clientFor(
  upload: S3Target,
  { attemptsMax, silentMs }: { attemptsMax: number; silentMs: number },
): S3Client {
  const { accessKey, secret, sessionToken, region, endpoint, forcePathStyle } = upload
  return new S3Client({
    region: region === '' ? DEFAULT_REGION : region,
    forcePathStyle,
    maxAttempts: attemptsMax,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: silentMs },
    ...(endpoint === '' ? {} : { endpoint }),
    // Without keys, those of the machine's role.
    ...(accessKey === ''
      ? {}
      : {
          credentials: {
            accessKeyId: accessKey,
            secretAccessKey: secret,
            ...(sessionToken === '' ? {} : { sessionToken }),
          },
        }),
  })
}

export function addressOf({ endpoint, bucket, region }: S3Target, key: string): string {
  if (endpoint !== '') return `${endpoint.replace(/\/$/, '')}/${bucket}/${key}`
  return `https://${bucket}.s3.${region === '' ? DEFAULT_REGION : region}.amazonaws.com/${key}`
}
