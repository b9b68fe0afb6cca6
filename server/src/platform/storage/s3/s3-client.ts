import { S3Client } from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { S3Config } from '../../config/storage-config.ts'
import { boundedHandler } from './bounded-handler.ts'

/** All in milliseconds. */
export interface S3Timeouts {
  connect: number
  /** From the start of a small request to its answer; tried twice. */
  smallAnswer: number
  /** A small request with its repetition. */
  small: number
  /** As `smallAnswer`, for a part of 5 MiB on a slow line. */
  partAnswer: number
  /** The storage copies up to 5 GiB before it answers: so long, and more by the size. */
  copy: number
  /** Of a storage while somebody waits. */
  silence: number
  /** Without a byte in either direction. */
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

/** `isAwaited`: for what somebody waits for who has sent a request. */
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
    // Settings come from one place: no AWS_ENDPOINT_URL behind our back.
    ignoreConfiguredEndpointUrls: true,
    // Not every server knows Amazon's checksums, and users of a signed address send none.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: isAwaited ? boundedHandler(handler, timeouts) : handler,
    ...(endpoint !== undefined && { endpoint }),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey } }),
  })
}
