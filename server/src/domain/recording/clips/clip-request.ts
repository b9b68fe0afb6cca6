import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { TrimKey } from '../trims/trim.ts'

export const CLIP_KIND = 'make-clip'

/** Requests the file of this clip. */
export function makeClipRequest({ id, tenantId, recordingId }: TrimKey): JobRequest {
  return { kind: CLIP_KIND, key: id, payload: { tenantId, recordingId } }
}
