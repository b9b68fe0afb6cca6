import { runSoon } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { claimObject } from '../../../platform/storage/unclaimed-object.ts'
import { sourceOf, type TrimAttempt, type TrimKey, type TrimOwner } from '../trims/trim.ts'
import { moveProcessed, type ProcessedMove } from './move-processed.ts'
import { courseOf, isTrimWanted, type ProcessedTrim, trimKeyOf } from './processed-recording.ts'
import { insertAttempt, isAttemptOpen } from './store.ts'
import { whileLocked } from './while-locked.ts'

interface ProcessedAttempt extends TrimAttempt {
  trim: ProcessedTrim
}

type AttemptDeps = Pick<Deps, 'db' | 'clock'>

/** Processed recordings as the owners of their trims. */
export function processedTrims(deps: AttemptDeps): TrimOwner<ProcessedAttempt> {
  return {
    begin: (key) => beginTrim(deps, key),
    isOpen: ({ trim, attempt }) => isAttemptOpen(deps.db, { id: trim.id, attempt }),
    complete: (attempt, file) => endTrim(deps, attempt, { to: 'available', file }),
    async fail(attempt, failureReason) {
      await endTrim(deps, attempt, { to: 'failed', failureReason })
    },
  }
}

/** Begins an attempt, and deletes the unclaimed file of the previous one. */
async function beginTrim(deps: AttemptDeps, key: TrimKey): Promise<ProcessedAttempt | undefined> {
  return whileLocked(deps, key, async (tx, locked, recording) => {
    if (!isTrimWanted(locked)) return undefined
    const { id } = locked
    const at = deps.clock()
    await moveProcessed(tx, locked, { to: 'processing', roomId: recording.roomId, at })
    const attempt = await insertAttempt(tx, id, at)
    if (attempt > 1) await runSoon(tx, deleteObjectsRequest([trimKeyOf(locked, attempt - 1)]))
    return {
      logged: { processedRecordingId: id },
      ...courseOf(locked),
      trim: locked,
      attempt,
      storageKey: trimKeyOf(locked, attempt),
      roomId: recording.roomId,
      source: sourceOf(recording),
    }
  })
}

async function endTrim(
  deps: AttemptDeps,
  { trim, attempt }: ProcessedAttempt,
  move: Extract<ProcessedMove, { to: 'available' | 'failed' }>,
): Promise<boolean> {
  const ended = await whileLocked(deps, trim, async (tx, locked, { roomId }) => {
    if (locked.status !== 'processing' || locked.attempt !== attempt) return false
    if (move.to === 'available') await claimObject(tx, move.file.storageKey)
    return (await moveProcessed(tx, locked, { ...move, roomId, at: deps.clock() })) !== undefined
  })
  return ended === true
}
