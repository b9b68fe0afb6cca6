import type { Deps } from '../deps.ts'
import type { Job } from '../jobs/job.ts'
import { FINISH_RECORDING } from './finish-recording-request.ts'
import { publishStored } from './publish-stored.ts'
import type { RecordingKey } from './recording.ts'
import { findRecording } from './store.ts'
import { storeWhole } from './store-whole.ts'

/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [2, 10, 30, 60, 300]

type FinishDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config' | 'log'>

/**
 * Brings a recording that ended to `available`: makes one file of its parts, looks that the storage
 * has it. Whatever dies in between begins again here.
 */
export function finishRecordingJob(deps: FinishDeps): Job {
  const { db } = deps
  return {
    kind: FINISH_RECORDING,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: recordingId, payload, attempt, signal, log }) {
      const key: RecordingKey = { tenantId: String(payload['tenantId']), recordingId }
      const before = await findRecording(db, key)
      if (before?.status === 'stopped') {
        const waitUntil = await storeWhole(deps, before, { attempt, signal, log })
        if (waitUntil !== undefined) return { outcome: 'again', at: waitUntil }
      }
      const stored = await findRecording(db, key)
      if (stored?.status !== 'uploaded') return { outcome: 'done' }
      const lookAgainAt = await publishStored(deps, stored)
      return lookAgainAt === undefined ? { outcome: 'done' } : { outcome: 'again', at: lookAgainAt }
    },
  }
}
