import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { TrimKey } from '../trims/trim.ts'
import type { ReelPlan } from './clip.ts'

export const CLIP_KIND = 'make-clip'
export const REEL_KIND = 'make-reel'

/** Requests the file of this clip or reel. */
export function makeClipRequest({
  id,
  tenantId,
  recordingId,
  reel = null,
}: TrimKey & { reel?: ReelPlan | null }): JobRequest {
  return {
    kind: reel === null ? CLIP_KIND : REEL_KIND,
    key: id,
    payload: { tenantId, recordingId },
  }
}
