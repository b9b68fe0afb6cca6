import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { eachAlone, type Failure } from '../../../platform/lib/each-alone.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { noteMissing } from '../../../platform/storage/differences.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { listAvailable } from '../recordings/store.ts'

const DAY_SEC = 24 * 60 * 60
const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** If more files are missing or cannot be checked, the storage itself is wrong, and the others are not looked for. */
const WRONG_MAX = 10

const MISSING = 'ALARM: recording file missing'
const MANY = 'ALARM: many recording files missing: check the storage settings'

type CheckDeps = Pick<Deps, 'db' | 'storage' | 'clock'>
type WithFile = RecordingKey & { storageKey: string }

/**
 * Checks once a day that the files of available recordings exist. A missing file raises an alarm, and nothing else: the recording
 * may have been deleted after the backup from which the database was restored, or its file after the one of the storage. Only a
 * person can know, and an announced expiry is final.
 */
export function checkRecordingFilesJob(deps: CheckDeps): RepeatingJob {
  const { db, clock } = deps
  return repeatingJob({
    kind: 'check-recording-files',
    everySec: DAY_SEC,
    clock,
    async run({ signal, log }) {
      const at = clock()
      const { missing, failed, isAnyThere } = await lookAtAll(deps, signal)
      for (const { item, error } of failed) {
        log.warn({ err: error, recordingId: item.recordingId }, 'recording file not checked')
      }
      const isStorageDown = missing.length === 0 && !isAnyThere
      if (failed.length > WRONG_MAX || (failed.length > 0 && isStorageDown)) throw failed[0]?.error
      await noteMissing(
        db,
        missing.map(({ storageKey }) => storageKey),
        at,
      )
      if (missing.length > WRONG_MAX) log.error(MANY)
      else for (const { recordingId } of missing) log.error({ recordingId }, MISSING)
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
