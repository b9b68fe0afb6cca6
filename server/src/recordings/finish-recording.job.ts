import type { Deps } from '../deps.ts'
import type { Job } from '../jobs/job.ts'
import { FINISH_RECORDING } from './finish-recording-request.ts'
import { giveUpFinishing } from './give-up-finishing.ts'
import type { FinishRun } from './make-file.ts'
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
  return {
    kind: FINISH_RECORDING,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: recordingId, payload, attempt, signal, log }) {
      const key: RecordingKey = { tenantId: String(payload['tenantId']), recordingId }
      try {
        const at = await finish(deps, key, { attempt, signal, log })
        return at === undefined ? { outcome: 'done' } : { outcome: 'again', at }
      } catch (error) {
        // The worker stops or has lost the lease: what comes next is not for this one to say.
        signal.throwIfAborted()
        if (!(await giveUpFinishing(deps, key, { attempt, error }))) throw error
        log.error({ err: error, recording: recordingId }, 'ALARM: a recording cannot be finished')
        return { outcome: 'done' }
      }
    },
  }
}

/** Answers when to look again. */
async function finish(
  deps: FinishDeps,
  key: RecordingKey,
  run: FinishRun,
): Promise<Date | undefined> {
  const before = await findRecording(deps.db, key)
  if (before?.status === 'stopped') {
    const waitUntil = await storeWhole(deps, before, run)
    if (waitUntil !== undefined) return waitUntil
  }
  const stored = await findRecording(deps.db, key)
  return stored?.status === 'uploaded' ? publishStored(deps, stored) : undefined
}
