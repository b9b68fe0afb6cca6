import type { Job } from '../../../platform/jobs/job.ts'
import { LOG_RECORDING_STOP } from './recording-requests.ts'

/** Logs that a recording stopped, and why: a job, since the transaction that stops it may not be committed. */
export function logRecordingStopJob(): Job {
  return {
    kind: LOG_RECORDING_STOP,
    async run({ key: recording, payload: { room, reason }, log }) {
      log.info({ room, recording, reason }, 'recording stopped')
      return { outcome: 'done' }
    },
  }
}
