import type { Logger } from 'pino'
import type { Job } from '../../../platform/jobs/job.ts'
import { NotWantedError } from '../../../platform/lib/while-wanted.ts'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { failIfTriggered, SimulatedFailure } from '../../../platform/sandbox/simulation.ts'
import { beginTrim, failTrim, type TrimAttempt } from './attempt-trim.ts'
import { makeTrim, type TrimDeps } from './make-trim.ts'
import { isTrimGivenUp } from './overdue.ts'
import { TRIM_KIND } from './trim-request.ts'

/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [2, 10, 30, 60, 300]
/** A program that fails on the same file again and again will not do better tomorrow. */
const PROGRAM_FAILURES_MAX = 3

/** Makes the files of trims. */
export function trimProcessedJob(deps: TrimDeps): Job {
  return {
    kind: TRIM_KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: id, payload, signal, log }) {
      const { tenantId, recordingId } = payload as { tenantId: string; recordingId: string }
      const attempt = await beginTrim(deps, { id, tenantId, recordingId })
      if (attempt !== undefined) await tryOnce(deps, attempt, { signal, log })
      return { outcome: 'done' }
    },
  }
}

/** Throws what may be over at the next try. */
async function tryOnce(
  deps: TrimDeps,
  attempt: TrimAttempt,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<void> {
  try {
    const { source, roomId } = attempt
    await failIfTriggered(deps.db, { roomId, type: 'processed_recording.status_changed' })
    const object = source && (await deps.storage.head(source.key))
    if (!source || !object) {
      await failTrim(deps, attempt, 'source_missing')
      return
    }
    await makeTrim(deps, { attempt, source: { ...source, ...object }, signal, log })
  } catch (error) {
    if (error instanceof NotWantedError) return
    // The worker stops or has lost the lease: what comes next is not for this one to say.
    signal.throwIfAborted()
    const reason = finalReasonOf(error, attempt, deps.clock())
    if (reason === undefined) throw error
    log.warn({ err: error, processedRecordingId: attempt.trim.id, reason }, 'trim failed')
    await failTrim(deps, attempt, reason)
  }
}

/** The reason reported to the tenant; undefined while it is worth another try. */
function finalReasonOf(error: unknown, attempt: TrimAttempt, now: Date): string | undefined {
  if (error instanceof SimulatedFailure) return error.reason
  if (error instanceof MediaFileError) {
    const { problem } = error
    if (problem === 'unreadable') return 'source_unreadable'
    if (problem === 'timed_out') return 'timed_out'
    if (problem === 'failed' && attempt.attempt >= PROGRAM_FAILURES_MAX) return 'internal'
  }
  if (!isTrimGivenUp(attempt.trim, now)) return undefined
  return error instanceof StorageError ? 'storage_unavailable' : 'internal'
}
