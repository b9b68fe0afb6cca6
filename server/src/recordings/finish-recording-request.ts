import type { JobRequest } from '../jobs/job.ts'
import type { Recording } from './recording.ts'

export const FINISH_RECORDING = 'finish-recording'

/** Makes the file of a recording that ended out of its parts. */
export function finishRecordingRequest({
  id,
  tenantId,
}: Pick<Recording, 'id' | 'tenantId'>): JobRequest {
  return { kind: FINISH_RECORDING, key: id, payload: { tenantId } }
}
