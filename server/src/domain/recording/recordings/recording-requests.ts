import type { JobRequest } from '../../../platform/jobs/job.ts'
import type { Recording, StopReason } from './recording.ts'

// The stored name of the job. Changing it would strand waiting jobs.
export const FOLLOW_RECORDING = 'follow-recording'

/** Reconciles the recording of a room. Enqueuing it twice has the effect of once. */
export function followRecordingRequest(roomId: string, dueAt?: Date): JobRequest {
  return { kind: FOLLOW_RECORDING, key: roomId, ...(dueAt !== undefined && { dueAt }) }
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

/** Makes the file of an ended recording. Work that keeps a worker busy is handed over to jobs of its own. */
export function finishRecordingRequest({
  id,
  tenantId,
}: Pick<Recording, 'id' | 'tenantId'>): JobRequest {
  return { kind: FINISH_RECORDING, key: id, payload: { tenantId } }
}

export const JOIN_RECORDING = 'join-recording'

export const COMPOSE_RECORDING = 'compose-recording'

/** Joins or composes the segments of an ended recording, in the order of the ends. */
export function makeRecordingRequest(
  kind: typeof JOIN_RECORDING | typeof COMPOSE_RECORDING,
  { id, tenantId, updatedAt }: Pick<Recording, 'id' | 'tenantId' | 'updatedAt'>,
): JobRequest {
  return { kind, key: id, payload: { tenantId }, dueAt: updatedAt }
}

export const COMPOSE_AHEAD = 'compose-ahead'
/** Less than this is composed when the recording ends. */
const AHEAD_AFTER_MS = 45_000

/** Composes a recording while it runs. It is asked for when a capture begins; asking again has no effect. */
export function composeAheadRequest(
  { id, tenantId }: Pick<Recording, 'id' | 'tenantId'>,
  now: Date,
): JobRequest {
  const dueAt = new Date(now.getTime() + AHEAD_AFTER_MS)
  return { kind: COMPOSE_AHEAD, key: id, payload: { tenantId }, dueAt }
}
