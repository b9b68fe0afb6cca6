import { sweepTombstonesJob, sweepTombstonesRequest } from './chat/sweep-tombstones.job.ts'
import { sweepUploadsJob, sweepUploadsRequest } from './chat/sweep-uploads.job.ts'
import {
  expireConnectionTestsJob,
  expireConnectionTestsRequest,
} from './connection-tests/expire-connection-tests.job.ts'
import type { Deps } from './deps.ts'
import { reconcileJob, reconcileRequest } from './entries/reconcile.job.ts'
import {
  sweepIdempotencyKeysJob,
  sweepIdempotencyKeysRequest,
} from './idempotency/sweep-idempotency-keys.job.ts'
import { enqueue } from './jobs/enqueue.ts'
import type { Job, JobRequest } from './jobs/job.ts'
import { startWorker } from './jobs/worker.ts'
import { sweepLiveEventsJob, sweepLiveEventsRequest } from './live-stream/sweep-live-events.job.ts'
import { sweepWorkspaces } from './media-files/workspace.ts'
import { applyNotificationsJob } from './notifications/apply-notifications.job.ts'
import {
  sweepNotificationsJob,
  sweepNotificationsRequest,
} from './notifications/sweep-notifications.job.ts'
import { removeParticipantJob } from './participants/remove-participant.job.ts'
import {
  sweepProcessedJob,
  sweepProcessedRequest,
} from './processed-recordings/sweep-processed.job.ts'
import { trimProcessedJob } from './processed-recordings/trim-processed.job.ts'
import {
  checkRecordingFilesJob,
  checkRecordingFilesRequest,
} from './recordings/check-recording-files.job.ts'
import { expireRecordingsJob, expireRecordingsRequest } from './recordings/expire-recordings.job.ts'
import { finishRecordingJob } from './recordings/finish-recording.job.ts'
import { followRecordingJob } from './recordings/follow-recording.job.ts'
import {
  reconcileRecordingsJob,
  reconcileRecordingsRequest,
} from './recordings/reconcile-recordings.job.ts'
import { closeMediaRoomJob } from './rooms/close-media-room.job.ts'
import { followSlotJob } from './rooms/follow-slot.job.ts'
import {
  undoAbandonedRoomsJob,
  undoAbandonedRoomsRequest,
} from './rooms/undo-abandoned-rooms.job.ts'
import { deleteObjectsJob } from './storage/delete-objects.job.ts'
import { sweepObjectsJob, sweepObjectsRequest } from './storage/sweep-objects.job.ts'
import { cancelAtEngineJob } from './transcriptions/cancel-at-engine.job.ts'
import { endOverdueJob, endOverdueRequest } from './transcriptions/end-overdue.job.ts'
import {
  bindEngines,
  describeEngines,
  type Engines,
} from './transcriptions/engines/bind-engines.ts'
import { transcribeJob } from './transcriptions/transcribe.job.ts'
import { startDeliveryWorker } from './webhooks/delivery-worker.ts'
import { sweepWebhooksJob, sweepWebhooksRequest } from './webhooks/sweep-webhooks.job.ts'

const CONCURRENCY = 8

/** What keeps a core busy for minutes must leave room for what keeps people waiting. */
function videoJobs(deps: Deps): Job[] {
  return [trimProcessedJob(deps)]
}

/** Every other kind of background work. */
function allJobs(deps: Deps, engines: Engines): Job[] {
  return [
    applyNotificationsJob(deps),
    cancelAtEngineJob(engines),
    checkRecordingFilesJob(deps),
    closeMediaRoomJob(deps),
    deleteObjectsJob(deps),
    endOverdueJob(deps),
    expireRecordingsJob(deps),
    expireConnectionTestsJob(deps),
    finishRecordingJob(deps),
    followRecordingJob(deps),
    followSlotJob(deps),
    reconcileJob(deps),
    reconcileRecordingsJob(deps),
    removeParticipantJob(deps),
    sweepIdempotencyKeysJob(deps),
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

/** Jobs that repeat themselves; asking again at every start only brings them forward. */
const SCHEDULES: readonly JobRequest[] = [
  checkRecordingFilesRequest,
  expireConnectionTestsRequest,
  endOverdueRequest,
  expireRecordingsRequest,
  reconcileRequest,
  reconcileRecordingsRequest,
  sweepIdempotencyKeysRequest,
  sweepLiveEventsRequest,
  sweepNotificationsRequest,
  sweepObjectsRequest,
  sweepProcessedRequest,
  sweepTombstonesRequest,
  sweepUploadsRequest,
  sweepWebhooksRequest,
  undoAbandonedRoomsRequest,
]

export interface Background {
  stop(): Promise<void>
}

export async function startBackground(deps: Deps): Promise<Background> {
  const { db, log, config } = deps
  await sweepWorkspaces(config.workDir)
  for (const schedule of SCHEDULES) await enqueue(db, schedule)
  const engines = bindEngines(config.transcription)
  log.info(describeEngines(engines), 'transcription engines')
  const worker = startWorker({ db, log, jobs: allJobs(deps, engines), concurrency: CONCURRENCY })
  const videos = { db, log, jobs: videoJobs(deps), concurrency: config.videoJobsMax }
  const videoWorker = startWorker(videos)
  const { jobsMax } = config.transcription
  const speech = { db, log, jobs: [transcribeJob(deps, engines)], concurrency: jobsMax }
  const speechWorker = startWorker(speech)
  const deliveries = startDeliveryWorker(deps)
  return {
    async stop() {
      const workers = [worker, videoWorker, speechWorker, deliveries]
      await Promise.all(workers.map((each) => each.stop()))
    },
  }
}
