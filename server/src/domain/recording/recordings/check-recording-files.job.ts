import { inTransaction } from '../../../platform/db/db.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from './lock-recording.ts'
import { moveRecording } from './move-recording.ts'
import { isReady, type RecordingKey } from './recording.ts'
import { listAvailable } from './store.ts'

const DAY_SEC = 24 * 60 * 60
const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** When more are missing together, it is the storage that is wrong. */
const MISSING_MAX = 10

type CheckDeps = Pick<Deps, 'db' | 'storage' | 'clock'>

/**
 * Once a day, looks whether the files of available recordings are there. That one is not is an
 * alarm in the log, and the recording expires: nobody is sent to a file that does not exist. When
 * many are missing nothing is changed.
 */
export function checkRecordingFilesJob(deps: CheckDeps): RepeatingJob {
  return repeatingJob({
    kind: 'check-recording-files',
    everySec: DAY_SEC,
    clock: deps.clock,
    async run({ signal, log }) {
      const missing = await findMissing(deps, signal)
      if (missing.length > MISSING_MAX) {
        log.error('ALARM: many recording files missing: check the storage settings')
      } else {
        for (const key of missing) {
          log.error({ recordingId: key.recordingId }, 'ALARM: recording file missing')
          await expireMissing(deps, key)
        }
      }
      return 'done'
    },
  })
}

async function findMissing(
  { db, storage }: CheckDeps,
  signal: AbortSignal,
): Promise<RecordingKey[]> {
  const missing: RecordingKey[] = []
  let after: string | undefined = BEFORE_ALL
  while (after !== undefined) {
    const page = await listAvailable(db, { after, limit: BATCH })
    for (const { storageKey, ...key } of page) {
      signal.throwIfAborted()
      if ((await storage.head(storageKey)) === undefined) missing.push(key)
      if (missing.length > MISSING_MAX) return missing
    }
    after = page.length === BATCH ? page.at(-1)?.recordingId : undefined
  }
  return missing
}

/** Unless the recording has gone its way meanwhile. */
async function expireMissing({ db, clock }: CheckDeps, key: RecordingKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording === undefined || !isReady(recording)) return
    await moveRecording(tx, recording, { to: 'expired', at: clock() })
  })
}
