import { inTransaction, type Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import type { Recording } from '../recordings/recording.ts'
import type { TrimKey } from '../trims/trim.ts'
import type { Clip } from './clip.ts'
import { findClip } from './store.ts'

/** Runs this with the locked clip and its recording. Returns undefined when one of them no longer exists. */
export async function whileLocked<T>(
  { db }: Pick<Deps, 'db'>,
  { id, tenantId, recordingId, isReel }: TrimKey & { isReel: boolean },
  work: (tx: Tx, locked: Clip, recording: Recording) => Promise<T>,
): Promise<T | undefined> {
  return inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, { tenantId, recordingId })
    const locked = await findClip(tx, { tenantId, clipId: id, isReel }, 'update')
    return recording !== undefined && locked !== undefined ? work(tx, locked, recording) : undefined
  })
}
