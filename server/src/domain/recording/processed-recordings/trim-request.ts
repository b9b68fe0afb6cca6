import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { TrimKey } from '../trims/trim.ts'

export const TRIM_KIND = 'trim-processed-recording'

/** Requests the file of this processed recording. */
export function trimProcessedRequest({ id, tenantId, recordingId }: TrimKey): JobRequest {
  return { kind: TRIM_KIND, key: id, payload: { tenantId, recordingId } }
}
