import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { failIfTriggered, SimulatedFailure } from '../../../platform/sandbox/simulation.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import { failRecording } from '../recordings/move-recording.ts'
import {
  COMPOSE_RECORDING,
  FINISH_RECORDING,
  JOIN_RECORDING,
} from '../recordings/recording-requests.ts'
import type { Recording, RecordingKey } from '../recordings/recording.ts'
import { listSegments } from '../recordings/segment-store.ts'
import { findRecording } from '../recordings/store.ts'
import { assembleRecording } from './assemble-recording.ts'
import type { FinishRun } from './finish-run.ts'
import { type Available, markAvailable } from './mark-available.ts'
import { progressOf } from './note-progress.ts'

/** Pause after the first, second, ... failure. The last value holds for all that follow. */
const RETRY_AFTER_SEC = [2, 10, 30, 60, 300]

type FinishDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config' | 'log'> & Available

/**
 * Brings an ended recording to `available`: takes its only segment as the file, or hands over to the jobs below, and checks
 * that the storage has the file. If a process dies in between, this starts again.
 */
export function finishRecordingJob(deps: FinishDeps): Job {
  return jobOf(deps, FINISH_RECORDING)
}

/** The same for a recording of several videos, which are joined or put into an archive. It has a queue of its own. */
export function joinRecordingJob(deps: FinishDeps): Job {
  return jobOf(deps, JOIN_RECORDING)
}

/** The same for a recording that must be composed. It has a queue of its own. */
export function composeRecordingJob(deps: FinishDeps): Job {
  return jobOf(deps, COMPOSE_RECORDING)
}

function jobOf(deps: FinishDeps, kind: string): Job {
  const isMaker = kind !== FINISH_RECORDING
  return {
    kind,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: recordingId, payload, attempt, signal, log }) {
      const key: RecordingKey = { tenantId: String(payload['tenantId']), recordingId }
      try {
        const at = await finish(deps, key, { attempt, signal, log, isMaker })
        return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
      } catch (error) {
        // The worker is stopping or has lost the lease, so it must not decide the outcome.
        signal.throwIfAborted()
        if (!(await giveUpFinishing(deps, key, { attempt, error }))) throw error
        if (!(error instanceof SimulatedFailure)) {
          log.error({ err: error, recording: recordingId }, 'ALARM: recording cannot be finished')
        }
        return { outcome: 'done' }
      }
    },
  }
}

async function finish(
  deps: FinishDeps,
  key: RecordingKey,
  run: FinishRun,
): Promise<Date | undefined> {
  const before = await findRecording(deps.db, key)
  if (before?.status === 'stopped') {
    await failIfTriggered(deps.db, { ...FINISHING, roomId: before.roomId })
    const onProgress = progressOf(deps, before, run)
    const waitUntil = await assembleRecording(deps, before, { ...run, onProgress })
    if (waitUntil !== undefined) return waitUntil
  }
  const stored = await findRecording(deps.db, key)
  return stored?.status === 'uploaded' ? markAvailable(deps, stored, run.signal) : undefined
}

/** Failures that a sandbox simulates here. Its recorder simulates the others. */
const FINISHING = {
  type: 'recording.status_changed',
  reasons: ['storage_missing', 'internal'],
} as const

/** Counts from the recording's end, or from the last of its segments. */
const FINISH_MAX_MS = 24 * 60 * 60_000
/** Minimum number of attempts, about half an hour, in case the service was down meanwhile. */
const ATTEMPTS_MIN = 10

/**
 * Fails a recording whose file could not be made for a day because the storage, ffmpeg or the disk was unavailable. Its
 * segments stay. Returns false while another attempt may succeed.
 */
async function giveUpFinishing(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: RecordingKey,
  { attempt, error }: { attempt: number; error: unknown },
): Promise<boolean> {
  const isSimulated = error instanceof SimulatedFailure
  if (attempt < ATTEMPTS_MIN && !isSimulated) return false
  return inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording?.status !== 'stopped' && recording?.status !== 'uploaded') return false
    const now = clock()
    const endMs = (await lastChangeMsOf(tx, recording)) + FINISH_MAX_MS
    if (now.getTime() < endMs && !isSimulated) return false
    await failRecording(tx, recording, { reason: reasonOf(recording, error), now })
    return true
  })
}

async function lastChangeMsOf(tx: Tx, { id, updatedAt }: Recording): Promise<number> {
  const segments = await listSegments(tx, id)
  return Math.max(updatedAt.getTime(), ...segments.map(({ statusAt }) => statusAt.getTime()))
}

function reasonOf({ status }: Recording, error: unknown): string {
  if (error instanceof SimulatedFailure) return error.reason
  if (status === 'uploaded') return 'storage_missing'
  return error instanceof StorageError ? 'upload_failed' : 'internal'
}
