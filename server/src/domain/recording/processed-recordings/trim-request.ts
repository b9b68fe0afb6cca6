import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { ProcessedKey } from './while-locked.ts'

export const TRIM_KIND = 'trim-processed-recording'

/** Asks for the trim of this processed recording to be made. */
export function trimProcessedRequest({ id, tenantId, recordingId }: ProcessedKey): JobRequest {
  return { kind: TRIM_KIND, key: id, payload: { tenantId, recordingId } }
}
