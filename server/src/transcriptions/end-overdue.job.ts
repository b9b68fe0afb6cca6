import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { holdRecordingIfAny } from '../recordings/hold-recording.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { moveTranscription } from './move-transcription.ts'
import { findTranscription, listRunningSince, type TranscriptionKey } from './store.ts'
import { endOfOverdue, startedBeforeOverdue } from './transcription.ts'

const KIND = 'end-overdue-transcriptions'
const EVERY_MS = 5 * 60 * 1000
const BATCH = 100

export const endOverdueRequest: JobRequest = { kind: KIND, key: 'all' }

type EndDeps = Pick<Deps, 'db' | 'clock'>

/** No transcription runs for more than a day. */
export function endOverdueJob(deps: EndDeps): Job {
  const { db, clock } = deps
  return {
    kind: KIND,
    async run({ signal }) {
      const now = clock()
      const overdue = await listRunningSince(db, startedBeforeOverdue(now), BATCH)
      for (const keys of overdue) {
        if (signal.aborted) break
        await endOverdue(deps, keys)
      }
      const pauseMs = overdue.length === BATCH ? 0 : EVERY_MS
      return { outcome: 'again', at: new Date(now.getTime() + pauseMs) }
    },
  }
}

async function endOverdue(
  { db, clock }: EndDeps,
  keys: RecordingKey & TranscriptionKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdRecordingIfAny(tx, keys)
    const transcription = await findTranscription(tx, keys)
    if (transcription === undefined) return
    const to = endOfOverdue(transcription)
    await moveTranscription(tx, transcription, { to, failureReason: 'timed_out', at: clock() })
  })
}
