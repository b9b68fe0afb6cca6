import type { JobRequest } from '../jobs/job.ts'

export const FOLLOW_RECORDING = 'follow-recording'

/** Looks what is to be done about the recording of a room; asking twice is asking once. */
export function followRecordingRequest(roomId: string, dueAt?: Date): JobRequest {
  return { kind: FOLLOW_RECORDING, key: roomId, ...(dueAt !== undefined && { dueAt }) }
}
