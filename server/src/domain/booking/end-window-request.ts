import type { JobRequest } from '../../platform/jobs/job.ts'

export const END_WINDOW = 'end-window'

/** Runs the job at the end of a room's window. */
export function endWindowRequest(roomId: string, closesAt: Date): JobRequest {
  return { kind: END_WINDOW, key: roomId, dueAt: closesAt }
}
