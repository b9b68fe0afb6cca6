import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { failRecording } from './fail-recording.ts'
import { noteLoss } from './follow-segments.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import type { Recording } from './recording.ts'
import type { Segment } from './segment.ts'
import { markLost } from './segment-store.ts'

interface Loss {
  /** All that the recording could be made of. */
  kept: readonly Segment[]
  /** Those of them that it cannot. */
  lost: readonly Segment[]
  reason: string
}

/** The recording is made of the other parts; without any it fails. */
export async function loseParts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, tenantId }: Recording,
  { kept, lost, reason }: Loss,
): Promise<void> {
  const now = clock()
  await inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, { tenantId, recordingId: id })
    if (recording?.status !== 'stopped') return
    for (const segment of lost) await markLost(tx, segment.id, { reason, at: now })
    if (lost.length === kept.length) return failRecording(tx, recording, { reason, now })
    for (const _ of lost) await noteLoss(tx, recording, reason)
  })
}
