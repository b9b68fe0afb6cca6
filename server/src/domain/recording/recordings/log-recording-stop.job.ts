import type { Job } from '../../../platform/jobs/job.ts'
import { LOG_RECORDING_STOP } from './recording-requests.ts'

/** Logs why a recording stopped. It is a job because the transaction that stops the recording may be rolled back. */
export function logRecordingStopJob(): Job {
  return {
    kind: LOG_RECORDING_STOP,
    async run({ key: recording, payload: { room, reason }, log }) {
      log.info({ room, recording, reason }, 'recording stopped')
      return { outcome: 'done' }
    },
  }
}
