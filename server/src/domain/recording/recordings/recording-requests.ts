import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { StopReason } from './desired-recording.ts'
import type { Recording } from './recording.ts'

// The stored name of the job: changing it would strand jobs that wait.
export const RECONCILE_RECORDING = 'follow-recording'

/** Looks what is to be done about the recording of a room; asking twice is asking once. */
export function reconcileRecordingRequest(roomId: string, dueAt?: Date): JobRequest {
  return { kind: RECONCILE_RECORDING, key: roomId, ...(dueAt !== undefined && { dueAt }) }
}

export const LOG_RECORDING_STOP = 'log-recording-stop'

/** Logs why a recording stopped. */
export function logRecordingStopRequest(
  { id, roomId }: Pick<Recording, 'id' | 'roomId'>,
  reason: StopReason,
): JobRequest {
  return { kind: LOG_RECORDING_STOP, key: id, payload: { room: roomId, reason } }
}

export const FINISH_RECORDING = 'finish-recording'

/** Brings a recording that ended to its file: what makes one keeps a worker busy, and has jobs of its own. */
export function finishRecordingRequest({
  id,
  tenantId,
}: Pick<Recording, 'id' | 'tenantId'>): JobRequest {
  return { kind: FINISH_RECORDING, key: id, payload: { tenantId } }
}

export const JOIN_RECORDING = 'join-recording'

/** Joins the segments of a recording that ended; those that ended first come first. */
export function joinRecordingRequest({
  id,
  tenantId,
  updatedAt,
}: Pick<Recording, 'id' | 'tenantId' | 'updatedAt'>): JobRequest {
  return { kind: JOIN_RECORDING, key: id, payload: { tenantId }, dueAt: updatedAt }
}

export const COMPOSE_RECORDING = 'compose-recording'

/** Composes the file of a recording that ended; those that ended first come first. */
export function composeRecordingRequest({
  id,
  tenantId,
  updatedAt,
}: Pick<Recording, 'id' | 'tenantId' | 'updatedAt'>): JobRequest {
  return { kind: COMPOSE_RECORDING, key: id, payload: { tenantId }, dueAt: updatedAt }
}
