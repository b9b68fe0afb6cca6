import { sweepLinksJob } from './board/sweep-links.job.ts'
import { sweepTombstonesJob } from './chat/sweep-tombstones.job.ts'
import { sweepUploadsJob } from './chat/sweep-uploads.job.ts'
import { expireConnectionTestsJob } from './connection-tests/expire-connection-tests.job.ts'
import type { Deps } from './deps.ts'
import { endWindowJob } from './entries/end-window.job.ts'
import { reconcileJob } from './entries/reconcile.job.ts'
import { reconcileRoomsJob } from './entries/reconcile-rooms.job.ts'
import { sweepIdempotencyKeysJob } from './idempotency/sweep-idempotency-keys.job.ts'
import { enqueue } from './jobs/enqueue.ts'
import type { Job } from './jobs/job.ts'
import type { RepeatingJob } from './jobs/repeating-job.ts'
import { sweepJobsJob } from './jobs/sweep-jobs.job.ts'
import { startWorker } from './jobs/worker.ts'
import { sweepLiveEventsJob } from './live-stream/sweep-live-events.job.ts'
import { sweepWorkspaces } from './media-files/workspace.ts'
import { applyNotificationsJob } from './notifications/apply-notifications.job.ts'
import { sweepNotificationsJob } from './notifications/sweep-notifications.job.ts'
import { removeParticipantJob } from './participants/remove-participant.job.ts'
import { sweepAdmissionsJob } from './participants/sweep-admissions.job.ts'
import { sweepProcessedJob } from './processed-recordings/sweep-processed.job.ts'
import { trimProcessedJob } from './processed-recordings/trim-processed.job.ts'
import { checkRecordingFilesJob } from './recordings/check-recording-files.job.ts'
import { expireRecordingsJob } from './recordings/expire-recordings.job.ts'
import { finishRecordingJob } from './recordings/finish-recording.job.ts'
import { followRecordingJob } from './recordings/follow-recording.job.ts'
import { reconcileRecordingsJob } from './recordings/reconcile-recordings.job.ts'
import { sweepAccessLogJob } from './recordings/sweep-access-log.job.ts'
import { closeMediaRoomJob } from './rooms/close-media-room.job.ts'
import { followSlotJob } from './rooms/follow-slot.job.ts'
import { undoAbandonedRoomsJob } from './rooms/undo-abandoned-rooms.job.ts'
import { deleteObjectsJob } from './storage/delete-objects.job.ts'
import { sweepObjectsJob } from './storage/sweep-objects.job.ts'
import { cancelAtEngineJob } from './transcriptions/cancel-at-engine.job.ts'
import { endOverdueJob } from './transcriptions/end-overdue.job.ts'
import {
  bindEngines,
  describeEngines,
  type Engines,
} from './transcriptions/engines/bind-engines.ts'
import { transcribeJob } from './transcriptions/transcribe.job.ts'
import { startDeliveryWorker } from './webhooks/delivery-worker.ts'
import { sweepWebhooksJob } from './webhooks/sweep-webhooks.job.ts'

const CONCURRENCY = 8
/** Shares of a pass of the reconciler that one process works at: the rest is for the others. */
const RECONCILE_CONCURRENCY = 2

/** What keeps a core busy for minutes must leave room for what keeps people waiting. */
function videoJobs(deps: Deps): Job[] {
  return [trimProcessedJob(deps)]
}

/** What looks after everything from time to time. */
export function repeatingJobs(deps: Deps): RepeatingJob[] {
  return [
    checkRecordingFilesJob(deps),
    endOverdueJob(deps),
    expireConnectionTestsJob(deps),
    expireRecordingsJob(deps),
    reconcileJob(deps),
    reconcileRecordingsJob(deps),
    sweepAccessLogJob(deps),
    sweepAdmissionsJob(deps),
    sweepIdempotencyKeysJob(deps),
    sweepJobsJob(deps),
    sweepLinksJob(deps),
    sweepLiveEventsJob(deps),
    sweepNotificationsJob(deps),
    sweepObjectsJob(deps),
    sweepProcessedJob(deps),
    sweepTombstonesJob(deps),
    sweepUploadsJob(deps),
    sweepWebhooksJob(deps),
    undoAbandonedRoomsJob(deps),
  ]
}

/** What is asked for when there is something to do. */
function askedJobs(deps: Deps, engines: Engines): Job[] {
  return [
    applyNotificationsJob(deps),
    cancelAtEngineJob(engines),
    closeMediaRoomJob(deps),
    deleteObjectsJob(deps),
    finishRecordingJob(deps),
    followRecordingJob(deps),
    followSlotJob(deps),
    removeParticipantJob(deps),
    endWindowJob(deps),
  ]
}

/** Kinds of the jobs that should run again and again, as long as any worker runs. */
export function repeatingKinds(deps: Deps): string[] {
  return repeatingJobs(deps).map(({ kind }) => kind)
}

export interface Background {
  stop(): Promise<void>
}

export async function startBackground(deps: Deps): Promise<Background> {
  const { db, log, config, metrics } = deps
  await sweepWorkspaces(config.workDir)
  const repeating = repeatingJobs(deps)
  for (const { schedule } of repeating) await enqueue(db, schedule)
  const engines = bindEngines(config.transcription)
  log.info(describeEngines(engines), 'transcription engines')
  const jobs = [...repeating, ...askedJobs(deps, engines)]
  const common = { db, log, leaseSec: config.jobLeaseSec, runs: metrics.jobRuns }
  const worker = startWorker({ ...common, jobs, concurrency: CONCURRENCY })
  const videos = { ...common, jobs: videoJobs(deps), concurrency: config.videoJobsMax }
  const videoWorker = startWorker(videos)
  const { jobsMax } = config.transcription
  const speech = { ...common, jobs: [transcribeJob(deps, engines)], concurrency: jobsMax }
  const speechWorker = startWorker(speech)
  // A provider that hangs must not take the places of what keeps people waiting.
  const shares = { ...common, jobs: [reconcileRoomsJob(deps)], concurrency: RECONCILE_CONCURRENCY }
  const shareWorker = startWorker(shares)
  const deliveries = startDeliveryWorker(deps)
  return {
    async stop() {
      const workers = [worker, videoWorker, speechWorker, shareWorker, deliveries]
      await Promise.all(workers.map((each) => each.stop()))
    },
  }
}
