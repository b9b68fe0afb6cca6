import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import type { Recording } from '../recordings/recording.ts'
import type { TrimKey } from '../trims/trim.ts'
import type { ProcessedRecording } from './processed-recording.ts'
import { findProcessed } from './store.ts'

/**
 * Runs this with the locked processed recording and its recording. Returns undefined when it no longer exists or another
 * one has replaced it.
 */
export async function whileLocked<T>(
  { db }: Pick<Deps, 'db'>,
  { id, tenantId, recordingId }: TrimKey,
  work: (tx: Tx, locked: ProcessedRecording, recording: Recording) => Promise<T>,
): Promise<T | undefined> {
  const key = { tenantId, recordingId }
  return inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, key)
    const locked = await findProcessed(tx, key, 'update')
    return recording !== undefined && locked?.id === id ? work(tx, locked, recording) : undefined
  })
}
