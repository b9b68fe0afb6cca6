import type { S3Client } from '@aws-sdk/client-s3'
import { formatUrl } from '@aws-sdk/core/util'
import { SignatureV4 } from '@smithy/signature-v4'
import type { S3Config } from '../../config/storage-config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SignedUrl } from '../../ports/storage.ts'
import { checkObjectKey } from '../object-key.ts'
import { checkExpiry } from '../signed-time.ts'

/** Version 4 signatures hold for seven days at most. */
export const EXPIRY_MAX_SEC = 604_800
const PAYLOAD_HASH_HEADER = 'X-Amz-Content-Sha256'

interface ToSign {
  method: 'GET' | 'PUT'
  key: string
  expiresInSec: number
  /** Headers that the storage is to put into its answer (`response-content-type`, ...). */
  query: Record<string, string>
}

/**
 * Signs addresses of objects with the SDK's own signer, which keeps the day's key. The SDK's
 * presigner sends a whole command through its middleware for each, at eight times the cost: too
 * much for a page of a hundred attachments.
 */
export function createPresigner(client: S3Client, config: S3Config, clock: Clock) {
  const { credentials, region, sha256 } = client.config
  const signer = new SignatureV4({
    credentials,
    region,
    sha256,
    service: 's3',
    uriEscapePath: false,
    applyChecksum: false,
  })
  let bucketUrl: Promise<URL> | undefined

  return async ({ method, key, expiresInSec, query }: ToSign): Promise<SignedUrl> => {
    checkObjectKey(key)
    checkExpiry(expiresInSec)
    const base = await (bucketUrl ??= findBucketUrl(client, config))
    const signingDate = new Date(Math.floor(clock().getTime() / 1000) * 1000)
    const expiresIn = Math.min(expiresInSec, EXPIRY_MAX_SEC)
    const signed = await signer.presign(
      {
        method,
        protocol: base.protocol,
        hostname: base.hostname,
        ...(base.port !== '' && { port: Number(base.port) }),
        path: `${base.pathname.replace(/\/$/, '')}/${key}`,
        query: { ...query, 'x-id': method === 'GET' ? 'GetObject' : 'PutObject' },
        headers: { host: base.host, [PAYLOAD_HASH_HEADER]: 'UNSIGNED-PAYLOAD' },
      },
      { signingDate, expiresIn },
    )
    const endMs = signingDate.getTime() + expiresIn * 1000
    // An address signed with temporary credentials ends with them.
    const { expiration } = await credentials()
    const expiresAt = new Date(Math.min(endMs, expiration?.getTime() ?? endMs))
    return { url: formatUrl(signed), expiresAt }
  }
}

/** The bucket's address for outside clients: in the host name or the path, as the SDK would have it. */
async function findBucketUrl(
  { config: client }: S3Client,
  { bucket, endpoint, publicEndpoint }: S3Config,
): Promise<URL> {
  const Endpoint = publicEndpoint ?? endpoint
  return client.endpointProvider({
    Bucket: bucket,
    Region: await client.region(),
    ForcePathStyle: client.forcePathStyle,
    UseFIPS: await client.useFipsEndpoint(),
    UseDualStack: await client.useDualstackEndpoint(),
    ...(Endpoint !== undefined && { Endpoint }),
  }).url
}
