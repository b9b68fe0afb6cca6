import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { holdRecordingIfAny } from '../recordings/hold-recording.ts'
import type { Recording } from '../recordings/recording.ts'
import type { ProcessedRecording } from './processed-recording.ts'
import { findProcessed } from './store.ts'

export interface ProcessedKey {
  id: string
  tenantId: string
  recordingId: string
}

/**
 * Runs this with the processed recording and its recording as they are under the locks; undefined
 * when it is gone or another took its place.
 */
export async function whileHeld<T>(
  { db }: Pick<Deps, 'db'>,
  { id, tenantId, recordingId }: ProcessedKey,
  work: (tx: Tx, held: ProcessedRecording, recording: Recording) => Promise<T>,
): Promise<T | undefined> {
  const key = { tenantId, recordingId }
  return inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, key)
    const held = await findProcessed(tx, key, 'update')
    return recording !== undefined && held?.id === id ? work(tx, held, recording) : undefined
  })
}
