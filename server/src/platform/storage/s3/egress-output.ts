import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config/storage-config.ts'
import type { EgressOutput } from '../../ports/storage.ts'
import { checkObjectKey } from '../object-key.ts'
import { attempt } from './s3-answers.ts'

/**
 * The bucket as sent with an egress request: with the keys that were set for it, else with those that
 * the service itself uses.
 */
export async function egressOutput(
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
