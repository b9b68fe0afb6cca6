import type { TestS3 } from '@interview-room/server/src/platform/storage/testing/s3-server.ts'

/** The settings of a service that stores in this bucket. */
export function settingsOfS3({ config }: TestS3): Record<string, string> {
  const { bucket, endpoint = '', region, accessKeyId = '', secretAccessKey = '' } = config
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  }
}
