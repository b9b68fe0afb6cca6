import { runSoon } from '../../../platform/jobs/enqueue.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { claimObject } from '../../../platform/storage/unclaimed-object.ts'
import { isReady } from '../recordings/recording.ts'
import { moveProcessed, type ProcessedMove } from './move-processed.ts'
import { isTrimWanted, type ProcessedTrim, trimKeyOf } from './processed-recording.ts'
import { insertAttempt, type ProcessedFile } from './store.ts'
import { type ProcessedKey, whileLocked } from './while-locked.ts'

/** A trim that is being made. The worker of a later attempt has taken it over. */
export interface TrimAttempt {
  trim: ProcessedTrim
  roomId: string
  attempt: number
  /** The recording's file; undefined when it is gone. */
  source: { key: string; durationSec: number } | undefined
}

type AttemptDeps = Pick<Deps, 'db' | 'clock'>

/**
 * Begins to make a trim, again if need be; undefined when it is no longer wanted. What the
 * attempt before it stored and nobody claimed is given up.
 */
export async function beginTrim(
  deps: AttemptDeps,
  key: ProcessedKey,
): Promise<TrimAttempt | undefined> {
  return whileLocked(deps, key, async (tx, locked, recording) => {
    if (!isTrimWanted(locked)) return undefined
    const at = deps.clock()
    await moveProcessed(tx, locked, { to: 'processing', roomId: recording.roomId, at })
    const attempt = await insertAttempt(tx, locked.id, at)
    if (attempt > 1) await runSoon(tx, deleteObjectsRequest([trimKeyOf(locked, attempt - 1)]))
    const source = isReady(recording)
      ? { key: recording.storageKey, durationSec: recording.durationSec }
      : undefined
    return { trim: locked, roomId: recording.roomId, attempt, source }
  })
}

/** Makes the trim available; false when another attempt, a delete or a deadline came first. */
export async function completeTrim(
  deps: AttemptDeps,
  attempt: TrimAttempt,
  file: ProcessedFile,
): Promise<boolean> {
  return endTrim(deps, attempt, { to: 'available', file })
}

/** Ends the trim without a file; nothing when another attempt, a delete or a deadline came first. */
export async function failTrim(
  deps: AttemptDeps,
  attempt: TrimAttempt,
  failureReason: string,
): Promise<boolean> {
  return endTrim(deps, attempt, { to: 'failed', failureReason })
}

async function endTrim(
  deps: AttemptDeps,
  { trim, attempt }: TrimAttempt,
  move: Extract<ProcessedMove, { to: 'available' | 'failed' }>,
): Promise<boolean> {
  const ended = await whileLocked(deps, trim, async (tx, locked, { roomId }) => {
    if (locked.status !== 'processing' || locked.attempt !== attempt) return false
    if (move.to === 'available') await claimObject(tx, move.file.storageKey)
    return (await moveProcessed(tx, locked, { ...move, roomId, at: deps.clock() })) !== undefined
  })
  return ended === true
}
