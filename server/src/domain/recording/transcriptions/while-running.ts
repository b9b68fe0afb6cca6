import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { findTranscription, type TranscriptionKey } from './store.ts'
import { isRunning, type Transcription } from './transcription.ts'

/** Changes a running transcription with its recording locked. Returns undefined when it has ended. */
export async function whileRunning<T>(
  { db }: Pick<Deps, 'db'>,
  keys: RecordingKey & TranscriptionKey,
  work: (tx: Tx, locked: Transcription) => Promise<T>,
): Promise<T | undefined> {
  return inTransaction(db, async (tx) => {
    if ((await lockRecordingIfAny(tx, keys)) === undefined) return undefined
    const locked = await findTranscription(tx, keys)
    return locked !== undefined && isRunning(locked) ? work(tx, locked) : undefined
  })
}
