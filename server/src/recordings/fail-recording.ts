import type { Tx } from '../db/db.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { followRecordingRequest } from './follow-recording-request.ts'
import { moveRecording } from './move-recording.ts'
import { setStopped } from './running-store.ts'
import { giveUpLost } from './segment-store.ts'
import type { HeldRecording } from './store.ts'

/**
 * Ends a held recording of which nothing can be published. What was written of it, or still may be,
 * stays until the recording is deleted or its retention is over.
 */
export async function failRecording(
  tx: Tx,
  recording: HeldRecording,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  await setStopped(tx, { id: recording.id, reason: 'provider', at: now })
  const move = { to: 'failed', failureReason: reason, at: now } as const
  if (!(await moveRecording(tx, recording, move))) return
  await giveUpLost(tx, recording.id, now)
  await enqueue(tx, followRecordingRequest(recording.roomId))
}
