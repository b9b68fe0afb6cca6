import { inTransaction } from '../../../platform/db/db.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { moveTranscription } from './move-transcription.ts'
import { findTranscription, listRunningSince, type TranscriptionKey } from './store.ts'
import { endOfOverdue, startedBeforeOverdue } from './transcription.ts'

const EVERY_SEC = 5 * 60
const BATCH = 100

type EndDeps = Pick<Deps, 'db' | 'clock'>

/** No transcription runs for more than a day. */
export function endOverdueJob(deps: EndDeps): RepeatingJob {
  const { db, clock } = deps
  return repeatingJob({
    kind: 'end-overdue-transcriptions',
    everySec: EVERY_SEC,
    clock,
    async run({ signal }) {
      const overdue = await listRunningSince(db, startedBeforeOverdue(clock()), BATCH)
      for (const keys of overdue) {
        if (signal.aborted) break
        await endOverdue(deps, keys)
      }
      return overdue.length === BATCH ? 'more' : 'done'
    },
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
