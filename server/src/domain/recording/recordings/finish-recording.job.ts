import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { failIfTriggered, SimulatedFailure } from '../../../platform/sandbox/simulation.ts'
import { assembleRecording } from './assemble-recording.ts'
import type { FinishRun, RunScope } from './finish-run.ts'
import { lockRecordingIfAny } from './lock-recording.ts'
import { type Available, markAvailable } from './mark-available.ts'
import { failRecording } from './move-recording.ts'
import { progressOf } from './note-progress.ts'
import { COMPOSE_RECORDING, FINISH_RECORDING, JOIN_RECORDING } from './recording-requests.ts'
import type { Recording, RecordingKey } from './recording.ts'
import { listSegments } from './segment-store.ts'
import { findRecording } from './store.ts'

/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [2, 10, 30, 60, 300]

type FinishDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config' | 'log'> & Available

/**
 * Brings a recording that ended to `available`: takes its only segment as the file, or has one made by the jobs
 * below, and looks that the storage has it. Whatever dies in between begins again here.
 */
export function finishRecordingJob(deps: FinishDeps): Job {
  return jobOf(deps, { kind: FINISH_RECORDING, makes: 'nothing' })
}

/** The same for a recording of several videos: joined, or in an archive. In a queue of its own. */
export function joinRecordingJob(deps: FinishDeps): Job {
  return jobOf(deps, { kind: JOIN_RECORDING, makes: 'joins' })
}

/** The same for a recording that must be composed, in a queue of its own. */
export function composeRecordingJob(deps: FinishDeps): Job {
  return jobOf(deps, { kind: COMPOSE_RECORDING, makes: 'compositions' })
}

function jobOf(deps: FinishDeps, { kind, makes }: { kind: string; makes: RunScope }): Job {
  return {
    kind,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: recordingId, payload, attempt, signal, log }) {
      const key: RecordingKey = { tenantId: String(payload['tenantId']), recordingId }
      try {
        const at = await finish(deps, key, { attempt, signal, log, makes })
        return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
      } catch (error) {
        // The worker stops or has lost the lease: what comes next is not for this one to say.
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

/** Answers when to look again. */
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

/** What a sandbox can have fail here; the recorder fails with the rest. */
const FINISHING = {
  type: 'recording.status_changed',
  reasons: ['storage_missing', 'internal'],
} as const

/** From its end, or from the last of its segments. */
const FINISH_MAX_MS = 24 * 60 * 60_000
/** Also when the service was down meanwhile: about half an hour. */
const ATTEMPTS_MIN = 10

/**
 * Ends a recording whose file could not be made for a day, because storage, program or disk were out
 * of reach. Its segments stay. False while it is worth another try.
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
