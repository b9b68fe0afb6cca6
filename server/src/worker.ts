import { forgetAnswers } from './api/idempotency/forget-answers.ts'
import { sweepIdempotencyKeysJob } from './api/idempotency/sweep-idempotency-keys.job.ts'
import { probeMediaJob } from './diagnosis/probe-media.job.ts'
import { sweepLinksJob } from './domain/board/sweep-board-tokens.job.ts'
import { resizeMediaRoomJob } from './domain/booking/resize-media-room.job.ts'
import { undoAbandonedRoomsJob } from './domain/booking/undo-abandoned-rooms.job.ts'
import { sweepTombstonesJob } from './domain/chat/sweep-tombstones.job.ts'
import { sweepUploadsJob } from './domain/chat/sweep-uploads.job.ts'
import { expireConnectionTestsJob } from './domain/connection-tests/expire-connection-tests.job.ts'
import { carryOutRetentionJob } from './domain/data-protection/carry-out-retention.job.ts'
import { eraseDataSubjectJob } from './domain/data-protection/erase-data-subject.job.ts'
import { giveRetentionNoticesJob } from './domain/data-protection/give-retention-notices.job.ts'
import { makeRenditionJob } from './domain/handouts/make-rendition.job.ts'
import { releaseHandoutFileJob } from './domain/handouts/release-handout-file.job.ts'
import { sweepObjectsJob } from './domain/monitoring/sweep-objects.job.ts'
import { applyNotificationsJob } from './domain/notifications/apply-notifications.job.ts'
import { sweepNotificationsJob } from './domain/notifications/sweep-notifications.job.ts'
import { noteLiveEngines } from './domain/people/live-text-request.ts'
import { maskArrivalsJob } from './domain/people/mask-arrivals.job.ts'
import { removeParticipantJob } from './domain/people/remove-participant.job.ts'
import { sweepAdmissionsJob } from './domain/people/sweep-admissions.job.ts'
import { updateMediaRightsJob } from './domain/people/update-media-rights.job.ts'
import { makeClipJob, makeReelJob } from './domain/recording/clips/make-clip.job.ts'
import { sweepClipsJob } from './domain/recording/clips/sweep-clips.job.ts'
import { expireRecordingsJob } from './domain/recording/expire-recordings.job.ts'
import { bindLiveEngines } from './domain/recording/live-text/engines/bind-live-engines.ts'
import { liveTextJob } from './domain/recording/live-text/live-text.job.ts'
import { sweepLiveTextsJob } from './domain/recording/live-text/sweep-live-texts.job.ts'
import { sweepProcessedJob } from './domain/recording/processed-recordings/sweep-processed.job.ts'
import { trimProcessedJob } from './domain/recording/processed-recordings/trim-processed.job.ts'
import { checkRecordingFilesJob } from './domain/recording/recording-files/check-recording-files.job.ts'
import { composeAheadJob } from './domain/recording/recording-files/compose-ahead.job.ts'
import {
  composeRecordingJob,
  finishRecordingJob,
  joinRecordingJob,
} from './domain/recording/recording-files/finish-recording.job.ts'
import {
  followRecordingJob,
  reconcileRecordingsJob,
} from './domain/recording/recordings/follow-recording.job.ts'
import { logRecordingStopJob } from './domain/recording/recordings/log-recording-stop.job.ts'
import { sweepAccessLogJob } from './domain/recording/recordings/sweep-access-log.job.ts'
import { watchRecordersJob } from './domain/recording/recordings/watch-recorders.job.ts'
import { sweepRevokedTokensJob } from './domain/recording/reviews/sweep-revoked-tokens.job.ts'
import { cancelAtEngineJob } from './domain/recording/transcriptions/cancel-at-engine.job.ts'
import { endOverdueJob } from './domain/recording/transcriptions/end-overdue.job.ts'
import {
  bindEngines,
  describeEngines,
  type Engines,
} from './domain/recording/transcriptions/engines/bind-engines.ts'
import { startAutomatically } from './domain/recording/transcriptions/start-transcription.ts'
import { transcribeJob } from './domain/recording/transcriptions/transcribe.job.ts'
import { closeMediaRoomJob } from './domain/room-end/close-media-room.job.ts'
import { endWindowJob } from './domain/room-end/end-window.job.ts'
import { reconcileRoomsJob } from './domain/room-end/reconcile-rooms.job.ts'
import { reconcileJob } from './domain/room-end/reconcile.job.ts'
import { sweepLiveEventsJob } from './domain/room-log/sweep-live-events.job.ts'
import { runTriggerJob } from './domain/sandbox/run-trigger.job.ts'
import { bringJobsForward } from './platform/jobs/bring-forward.ts'
import { enqueue } from './platform/jobs/enqueue.ts'
import type { Job } from './platform/jobs/job.ts'
import type { RepeatingJob } from './platform/jobs/repeating-job.ts'
import { sweepJobsJob } from './platform/jobs/sweep-jobs.job.ts'
import { type JobQueue, startWorker } from './platform/jobs/worker.ts'
import { sweepWorkspaces } from './platform/media-files/workspace.ts'
import type { Deps } from './platform/ports/deps.ts'
import { deleteObjectsJob } from './platform/storage/delete-objects.job.ts'
import { bringDeliveriesForward } from './platform/webhooks/bring-forward.ts'
import { startDeliveryWorker } from './platform/webhooks/delivery-worker.ts'
import { replayWebhooksJob } from './platform/webhooks/replay-webhooks.job.ts'
import { sweepWebhooksJob } from './platform/webhooks/sweep-webhooks.job.ts'

const CONCURRENCY = 8
/** The number of shares of a reconciler pass that one process works at. The rest is for the others. */
const RECONCILE_CONCURRENCY = 2
/** Replays of webhooks that one process works at. Each adds a page, and then waits for the receiver. */
const REPLAYS_MAX = 2
/** Rooms whose arrivals one process masks. Each takes a quarter of a percent of a core. */
const MASKED_ROOMS_MAX = 100
/** Rooms that one process listens to. The decoding takes some percent of a core for each speaking person. */
const LISTENED_ROOMS_MAX = 20

/**
 * Jobs that keep a core or a disk busy for minutes must not delay jobs that people wait for. Each kind has its own slots: a trim
 * that waits half an hour for joins fails.
 */
function videoQueues(deps: Deps): JobQueue[] {
  const { videoJobsMax, recordings } = deps.config
  const finishing = { ...deps, onAvailable: startAutomatically }
  return [
    { jobs: [trimProcessedJob(deps)], concurrency: videoJobsMax, areInTurns: true },
    { jobs: [makeClipJob(deps), makeReelJob(deps)], concurrency: videoJobsMax, areInTurns: true },
    { jobs: [makeRenditionJob(deps)], concurrency: 1, areInTurns: true },
    { jobs: [joinRecordingJob(finishing)], concurrency: videoJobsMax, areInTurns: true },
    // In the order in which the recordings ended, because pages show when a recording will be ready.
    { jobs: [composeRecordingJob(finishing)], concurrency: recordings.compositionsMax },
    { jobs: [composeAheadJob(deps)], concurrency: 1 },
  ]
}

/** Jobs that run periodically. */
export function repeatingJobs(deps: Deps): RepeatingJob[] {
  return [
    carryOutRetentionJob(deps),
    checkRecordingFilesJob(deps),
    endOverdueJob(deps),
    expireConnectionTestsJob(deps),
    expireRecordingsJob(deps),
    giveRetentionNoticesJob(deps),
    reconcileJob(deps),
    probeMediaJob(deps),
    reconcileRecordingsJob(deps),
    sweepAccessLogJob(deps),
    sweepAdmissionsJob(deps),
    sweepClipsJob(deps),
    sweepIdempotencyKeysJob(deps),
    sweepJobsJob(deps),
    sweepLinksJob(deps),
    sweepLiveEventsJob(deps),
    sweepLiveTextsJob(deps),
    sweepNotificationsJob(deps),
    sweepObjectsJob(deps),
    sweepProcessedJob(deps),
    sweepRevokedTokensJob(deps),
    sweepTombstonesJob(deps),
    sweepUploadsJob(deps),
    sweepWebhooksJob(deps),
    undoAbandonedRoomsJob(deps),
    watchRecordersJob(deps),
  ]
}

/** Jobs that run when something enqueues them. */
function askedJobs(deps: Deps, engines: Engines): Job[] {
  return [
    applyNotificationsJob(deps),
    cancelAtEngineJob(engines),
    closeMediaRoomJob(deps),
    deleteObjectsJob(deps),
    eraseDataSubjectJob({ ...deps, forgetAnswers }),
    releaseHandoutFileJob(deps),
    finishRecordingJob({ ...deps, onAvailable: startAutomatically }),
    logRecordingStopJob(),
    followRecordingJob(deps),
    resizeMediaRoomJob(deps),
    removeParticipantJob(deps),
    updateMediaRightsJob(deps),
    endWindowJob(deps),
    runTriggerJob(deps),
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
  const { db, log, config, metrics, tracer } = deps
  await Promise.all([db.warm(), sweepWorkspaces(config.workDir)])
  const repeating = repeatingJobs(deps)
  for (const { schedule } of repeating) await enqueue(db, schedule)
  const engines = bindEngines(config.transcription)
  log.info(describeEngines(engines), 'transcription engines')
  const liveEngines = bindLiveEngines(config.liveText)
  const names = liveEngines.map(({ name }) => name)
  log.info({ engines: names }, 'live text engines')
  await noteLiveEngines(db, names)
  const jobs = [...repeating, ...askedJobs(deps, engines)]
  const queues: JobQueue[] = [
    { jobs, concurrency: CONCURRENCY },
    ...videoQueues(deps),
    {
      jobs: [transcribeJob(deps, engines)],
      concurrency: config.transcription.jobsMax,
      areInTurns: true,
    },
    // Each lasts as long as a receiver takes to get its events.
    { jobs: [replayWebhooksJob(deps)], concurrency: REPLAYS_MAX, areInTurns: true },
    // A provider that hangs must not take the places of what keeps people waiting.
    { jobs: [reconcileRoomsJob(deps)], concurrency: RECONCILE_CONCURRENCY },
    // Each lasts as long as anybody is in the room.
    { jobs: [maskArrivalsJob(deps)], concurrency: MASKED_ROOMS_MAX },
    { jobs: [liveTextJob(deps, liveEngines)], concurrency: LISTENED_ROOMS_MAX },
  ]
  const { jobLeaseSec: leaseSec } = config
  const deliveries = startDeliveryWorker(deps)
  const runs = metrics.jobRuns
  const worker = startWorker({ db, queues, log, leaseSec, runs, tracer, beside: deliveries })
  const stopKeeping = keepOnTime(deps, { jobs: queues.flatMap((queue) => queue.jobs), leaseSec })
  return {
    async stop() {
      stopKeeping()
      await Promise.all([worker.stop(), deliveries.stop()])
    },
  }
}

const LOOK_EVERY_MS = 60_000

/** Brings forward once a minute what the database's clock planned while it was ahead. Returns a function that stops it. */
function keepOnTime(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  known: { jobs: readonly Job[]; leaseSec: number },
): () => void {
  async function look() {
    const jobs = await bringJobsForward(db, known)
    const deliveries = await bringDeliveriesForward(db)
    if (jobs.length > 0 || deliveries > 0)
      log.warn({ jobs, deliveries }, 'the clock of the database was set back')
  }
  // A failed check is repeated the next time.
  const looking = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref()
  return () => clearInterval(looking)
}
