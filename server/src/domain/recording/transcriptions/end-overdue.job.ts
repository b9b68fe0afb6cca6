import { inTransaction } from '../../../platform/db/db.ts'
import { dueItemsJob } from '../../../platform/jobs/due-items-job.ts'
import type { RepeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { moveTranscription } from './move-transcription.ts'
import { findTranscription, listRunningSince, type TranscriptionKey } from './store.ts'
import { endOfOverdue, startedBeforeOverdue } from './transcription.ts'

const KIND = 'end-overdue-transcriptions'
const EVERY_SEC = 5 * 60

type EndDeps = Pick<Deps, 'db' | 'clock'>

/** Ends transcriptions after a day. */
export function endOverdueJob(deps: EndDeps): RepeatingJob {
  const { db, clock } = deps
  return dueItemsJob({
    kind: KIND,
    everySec: EVERY_SEC,
    db,
    clock,
    list: (limit) =>
      listRunningSince(db, { retriedBy: KIND, before: startedBeforeOverdue(clock()), limit }),
    keyOf: ({ transcriptionId }) => transcriptionId,
    carryOut: (keys) => endOverdue(deps, keys),
  })
}

async function endOverdue(
  { db, clock }: EndDeps,
  keys: RecordingKey & TranscriptionKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockRecordingIfAny(tx, keys)
    const transcription = await findTranscription(tx, keys)
    if (transcription === undefined) return
    const to = endOfOverdue(transcription)
    await moveTranscription(tx, transcription, { to, failureReason: 'timed_out', at: clock() })
  })
}
