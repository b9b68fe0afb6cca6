import type { WebhookType } from '@interview-room/contract/webhooks.ts'
import type { Logger } from 'pino'
import type { Job } from '../../../platform/jobs/job.ts'
import { NotWantedError } from '../../../platform/lib/while-wanted.ts'
import { MediaFileError } from '../../../platform/media-files/media-file-error.ts'
import { StorageError } from '../../../platform/ports/storage.ts'
import { failIfTriggered, SimulatedFailure } from '../../../platform/sandbox/simulation.ts'
import { makeTrim, type TrimDeps } from './make-trim.ts'
import { isTrimGivenUp } from './trim-times.ts'
import type { TrimAttempt, TrimOwner } from './trim.ts'

/** Pause after the first, second, ... failure. The last value holds for all that follow. */
const RETRY_AFTER_SEC = [2, 10, 30, 60, 300]
/**
 * A program that keeps failing on the same file will not succeed tomorrow. Five attempts take more than a minute: storage that
 * answers with other bytes, or a worker that ends, may spoil several within seconds.
 */
const ATTEMPTS_MAX = 5

interface TrimKind<A extends TrimAttempt> {
  kind: string
  /** The webhook whose failures a sandbox simulates. */
  webhook: WebhookType
  owner: TrimOwner<A>
}

/** Makes the files of trims for one kind of owner. */
export function trimJob<A extends TrimAttempt>(deps: TrimDeps, kind: TrimKind<A>): Job {
  return {
    kind: kind.kind,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: id, payload, signal, log }) {
      const { tenantId, recordingId } = payload as { tenantId: string; recordingId: string }
      const attempt = await kind.owner.begin({ id, tenantId, recordingId })
      if (attempt !== undefined) await tryOnce(deps, kind, { attempt, signal, log })
      return { outcome: 'done' }
    },
  }
}

/** Throws errors that a retry may overcome. */
async function tryOnce<A extends TrimAttempt>(
  deps: TrimDeps,
  { owner, webhook }: TrimKind<A>,
  { attempt, signal, log }: { attempt: A; signal: AbortSignal; log: Logger },
): Promise<void> {
  try {
    const { source, roomId } = attempt
    await failIfTriggered(deps.db, { roomId, type: webhook })
    const object = source && (await deps.storage.head(source.key))
    if (!source || !object) {
      await owner.fail(attempt, 'source_missing')
      return
    }
    await makeTrim(deps, { attempt, source: { ...source, ...object }, signal, log }, owner)
  } catch (error) {
    if (error instanceof NotWantedError) return
    // The worker is stopping or has lost the lease, so it must not decide the outcome.
    signal.throwIfAborted()
    const reason = finalReasonOf(error, attempt, deps.clock())
    if (reason === undefined) throw error
    log.warn({ err: error, ...attempt.logged, reason }, 'trim failed')
    await owner.fail(attempt, reason)
  }
}

/** The reason reported to the tenant. Returns undefined while another attempt may succeed. */
function finalReasonOf(error: unknown, attempt: TrimAttempt, now: Date): string | undefined {
  if (error instanceof SimulatedFailure) return error.reason
  if (error instanceof MediaFileError) {
    const { problem } = error
    if (problem === 'timed_out') return 'timed_out'
    if (attempt.attempt >= ATTEMPTS_MAX) {
      if (problem === 'unreadable') return 'source_unreadable'
      if (problem === 'failed') return 'internal'
    }
  }
  if (!isTrimGivenUp(attempt, now)) return undefined
  return error instanceof StorageError ? 'storage_unavailable' : 'internal'
}
