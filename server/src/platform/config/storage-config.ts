import path from 'node:path'
import type { EnvironmentReader } from '../lib/environment.ts'

export interface S3Config {
  endpoint: string | undefined
  /** The address that outside clients use in signed addresses, if it differs. */
  publicEndpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string | undefined
  secretAccessKey: string | undefined
  forcePathStyle: boolean
  /** Endpoint and keys for the media provider's egress, if it must not use our own. */
  egress: {
    endpoint: string | undefined
    keys: { accessKeyId: string; secretAccessKey: string; sessionToken?: undefined } | undefined
  }
}

/** A bucket, or a folder on this machine. */
export type StorageConfig = { kind: 's3'; s3: S3Config } | { kind: 'folder'; folder: string }

/** Both, or neither. */
function readKeys(
  read: EnvironmentReader,
  idName: string,
  secretName: string,
): { accessKeyId: string; secretAccessKey: string } | undefined {
  const accessKeyId = read.text(idName, { fallback: '' })
  const secretAccessKey = read.text(secretName, { fallback: '' })
  if ((accessKeyId === '') !== (secretAccessKey === '')) {
    read.problems.push(`${idName} and ${secretName} go together`)
  }
  return accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey }
}

function readEgress(read: EnvironmentReader): S3Config['egress'] {
  const endpoint = read.url('S3_EGRESS_ENDPOINT', { schemes: ['http', 'https'], fallback: '' })
  const keys = readKeys(read, 'S3_EGRESS_ACCESS_KEY_ID', 'S3_EGRESS_SECRET_ACCESS_KEY')
  return { endpoint: endpoint || undefined, keys }
}

const OF_A_BUCKET = [
  'S3_REGION',
  'S3_ENDPOINT',
  'S3_PUBLIC_ENDPOINT',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_EGRESS_ACCESS_KEY_ID',
  'S3_EGRESS_SECRET_ACCESS_KEY',
  'S3_EGRESS_ENDPOINT',
]

/** Settings of a bucket require one. Otherwise a default folder would take its place, and nobody would notice soon. */
function refuseNamelessBucket(read: EnvironmentReader): void {
  const given = OF_A_BUCKET.find((name) => read.text(name, { fallback: '' }) !== '')
  if (given !== undefined) read.problems.push(`S3_BUCKET is required with ${given}`)
}

export function readStorage(read: EnvironmentReader, dataDir: string): StorageConfig {
  const bucket = read.text('S3_BUCKET', { fallback: '' })
  if (bucket === '') {
    const chosen = read.text('STORAGE_DIR', { fallback: '' })
    if (chosen === '') refuseNamelessBucket(read)
    return { kind: 'folder', folder: path.resolve(chosen || path.join(dataDir, 'storage')) }
  }
  const keys = readKeys(read, 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  return {
    kind: 's3',
    s3: {
      endpoint: read.url('S3_ENDPOINT', { schemes: ['http', 'https'], fallback: '' }) || undefined,
      publicEndpoint:
        read.url('S3_PUBLIC_ENDPOINT', { schemes: ['http', 'https'], fallback: '' }) || undefined,
      region: read.text('S3_REGION', { fallback: 'us-east-1' }),
      bucket,
      accessKeyId: keys?.accessKeyId,
      secretAccessKey: keys?.secretAccessKey,
      forcePathStyle: read.flag('S3_FORCE_PATH_STYLE', false),
      egress: readEgress(read),
    },
  }
}
