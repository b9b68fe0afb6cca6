import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { Recording } from './recording.ts'

export const FOLLOW_RECORDING = 'follow-recording'

/** Looks what is to be done about the recording of a room; asking twice is asking once. */
export function followRecordingRequest(roomId: string, dueAt?: Date): JobRequest {
  return { kind: FOLLOW_RECORDING, key: roomId, ...(dueAt !== undefined && { dueAt }) }
}

export const FINISH_RECORDING = 'finish-recording'

/** Makes the file of a recording that ended out of its segments. */
export function finishRecordingRequest({
  id,
  tenantId,
}: Pick<Recording, 'id' | 'tenantId'>): JobRequest {
  return { kind: FINISH_RECORDING, key: id, payload: { tenantId } }
}
