import { S3Client } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { S3Config } from '../../config/storage-config.ts'
import { boundedHandler } from './bounded-handler.ts'

/** All in milliseconds. */
export interface S3Timeouts {
  connect: number
  /** From the start of a small request to its answer. Each is tried twice. */
  smallAnswer: number
  /** For a small request with its retry. */
  small: number
  /** As `smallAnswer`, for a part of 5 MiB on a slow line. */
  partAnswer: number
  /** Base time of a copy, to which time by the size is added. The storage copies up to 5 GiB before it answers. */
  copy: number
  /** Silence of the storage while somebody waits for the answer. */
  silence: number
  /** Time without a byte in either direction. */
  idle: number
}

export const S3_TIMEOUTS: S3Timeouts = {
  connect: 1_000,
  smallAnswer: 2_500,
  small: 6_000,
  partAnswer: 30_000,
  copy: 5_000,
  silence: 5_000,
  idle: 60_000,
}

/** `isAwaited`: for requests that a person or a program waits for. */
export function createS3Client(
  config: S3Config,
  timeouts: S3Timeouts,
  { isAwaited = false } = {},
): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = config
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined
  const handler = new NodeHttpHandler({
    connectionTimeout: timeouts.connect,
    requestTimeout: timeouts.partAnswer,
    throwOnRequestTimeout: true,
    socketTimeout: timeouts.idle,
  })
  return new S3Client({
    region,
    forcePathStyle,
    maxAttempts: 2,
    // Settings come from one place: the SDK must not read AWS_ENDPOINT_URL as well.
    ignoreConfiguredEndpointUrls: true,
    // Some servers do not know Amazon's checksums, and users of a signed address send none.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: isAwaited ? boundedHandler(handler, timeouts) : handler,
    ...(endpoint !== undefined && { endpoint }),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey } }),
  })
}
