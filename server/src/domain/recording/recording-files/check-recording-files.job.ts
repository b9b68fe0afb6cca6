import type { Logger } from 'pino'
import { inTransaction } from '../../../platform/db/db.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { eachAlone, eachOrThrow, type Failure } from '../../../platform/lib/each-alone.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import { expireRecording } from '../recordings/move-recording.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'
import { listAvailable } from '../recordings/store.ts'

const DAY_SEC = 24 * 60 * 60
const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** If more files are missing or cannot be checked, the storage itself is wrong. */
const WRONG_MAX = 10

const MANY = 'ALARM: many recording files missing: check the storage settings'
const EVERY = 'ALARM: every recording file missing: check the storage settings'

type CheckDeps = Pick<Deps, 'db' | 'storage' | 'clock'>
type WithFile = RecordingKey & { storageKey: string }

/**
 * Checks once a day that the files of available recordings exist. A missing file raises an alarm in the log, and the
 * recording expires, so that nobody gets an address without a file. If many or all are missing, nothing is changed, because
 * an expiry is final but a wrong setting is not.
 */
export function checkRecordingFilesJob(deps: CheckDeps): RepeatingJob {
  return repeatingJob({
    kind: 'check-recording-files',
    everySec: DAY_SEC,
    clock: deps.clock,
    async run({ signal, log }) {
      const { missing, failed, isAnyThere } = await lookAtAll(deps, signal)
      for (const { item, error } of failed) {
        log.warn({ err: error, recordingId: item.recordingId }, 'recording file not checked')
      }
      const isStorageDown = missing.length === 0 && !isAnyThere
      if (failed.length > WRONG_MAX || (failed.length > 0 && isStorageDown)) throw failed[0]?.error
      if (missing.length > WRONG_MAX || (missing.length > 0 && !isAnyThere)) {
        log.error(missing.length > WRONG_MAX ? MANY : EVERY)
        return 'done'
      }
      await eachOrThrow(missing, (each) => expireMissing(deps, each, log))
      return 'done'
    },
  })
}

interface Seen {
  missing: WithFile[]
  failed: Failure<WithFile>[]
  isAnyThere: boolean
}

/** Stops early when too many are missing or cannot be checked. */
async function lookAtAll(deps: CheckDeps, signal: AbortSignal): Promise<Seen> {
  const seen: Seen = { missing: [], failed: [], isAnyThere: false }
  let after: string | undefined = BEFORE_ALL
  while (after !== undefined) {
    const page: WithFile[] = await listAvailable(deps.db, { after, limit: BATCH })
    for (const recording of page) {
      signal.throwIfAborted()
      const failed = await eachAlone([recording], async () => {
        const isThere = (await deps.storage.head(recording.storageKey)) !== undefined
        if (isThere) seen.isAnyThere = true
        else seen.missing.push(recording)
      })
      seen.failed.push(...failed)
      if (seen.missing.length > WRONG_MAX || seen.failed.length > WRONG_MAX) return seen
    }
    after = page.length === BATCH ? page.at(-1)?.recordingId : undefined
  }
  return seen
}

async function expireMissing(
  { db, clock }: CheckDeps,
  key: RecordingKey,
  log: Logger,
): Promise<void> {
  log.error({ recordingId: key.recordingId }, 'ALARM: recording file missing')
  await inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, key)
    if (recording === undefined || !isReady(recording)) return
    await expireRecording(tx, recording, clock())
  })
}
