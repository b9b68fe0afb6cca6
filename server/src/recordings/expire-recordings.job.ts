import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { deleteObjectsRequest } from '../storage/delete-objects.job.ts'
import { holdRecordingIfAny } from './hold-recording.ts'
import { moveRecording } from './move-recording.ts'
import type { RecordingKey } from './recording.ts'
import { listAvailableSince } from './store.ts'

const KIND = 'expire-recordings'
const EVERY_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 100

export const expireRecordingsRequest: JobRequest = { kind: KIND, key: 'all' }

type ExpireDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** Ends recordings that have been available for the configured days: the file goes, the row stays. */
export function expireRecordingsJob(deps: ExpireDeps): Job {
  const { db, clock, config } = deps
  const days = config.recordingRetentionDays
  return {
    kind: KIND,
    async run({ signal }) {
      const now = clock()
      if (days === undefined) return { outcome: 'again', at: new Date(now.getTime() + EVERY_MS) }
      const before = new Date(now.getTime() - days * DAY_MS)
      const due = await listAvailableSince(db, before, BATCH)
      for (const key of due) {
        if (signal.aborted) break
        await expireRecording(deps, key)
      }
      const pauseMs = due.length === BATCH ? 0 : EVERY_MS
      return { outcome: 'again', at: new Date(now.getTime() + pauseMs) }
    },
  }
}

async function expireRecording({ db, clock }: ExpireDeps, key: RecordingKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    const recording = await holdRecordingIfAny(tx, key)
    if (recording === undefined) return
    const move = { to: 'expired', at: clock() } as const
    if (!(await moveRecording(tx, recording, move)) || recording.storageKey === null) return
    await enqueue(tx, deleteObjectsRequest([recording.storageKey]))
  })
}
