import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { TrimKey } from '../trims/trim.ts'

export const CLIP_KIND = 'make-clip'

/** Asks for the file of this clip to be made. */
export function makeClipRequest({ id, tenantId, recordingId }: TrimKey): JobRequest {
  return { kind: CLIP_KIND, key: id, payload: { tenantId, recordingId } }
}
