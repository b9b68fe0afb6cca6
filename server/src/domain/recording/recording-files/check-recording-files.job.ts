import type { Logger } from 'pino'
import { inTransaction } from '../../../platform/db/db.ts'
import { postpone, withRetries } from '../../../platform/jobs/due-items-job.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { eachAlone, type Failure } from '../../../platform/lib/each-alone.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import { expireRecording } from '../recordings/move-recording.ts'
import { isReady, type RecordingKey } from '../recordings/recording.ts'
import { listAvailable } from '../recordings/store.ts'

const KIND = 'check-recording-files'
const DAY_SEC = 24 * 60 * 60
const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** If more files are missing or cannot be checked, the storage itself is wrong. */
const WRONG_MAX = 10

type CheckDeps = Pick<Deps, 'db' | 'storage' | 'clock'>
type WithFile = RecordingKey & { storageKey: string }

const keyOf = ({ recordingId }: WithFile) => recordingId

/**
 * Checks once a day that the files of available recordings exist. A missing file raises an alarm in the log, and the
 * recording expires, so that nobody gets an address without a file. If many or all are missing, nothing is changed, because
 * an expiry is final but a wrong setting is not. A file that could not be checked is checked again on its own.
 */
export function checkRecordingFilesJob(deps: CheckDeps): RepeatingJob {
  const { db, clock } = deps
  const daily = repeatingJob({
    kind: KIND,
    everySec: DAY_SEC,
    clock,
    async run({ signal, log }) {
      const { missing, failed, isAnyThere } = await lookAtAll(deps, signal)
      if (failed.length > WRONG_MAX) throw failed[0]?.error
      const lost = whereOthersAre({ missing, isAnyThere }, log)
      failed.push(...(await eachAlone(lost, (each) => expireMissing(deps, each, log))))
      for (const { item, error } of failed) {
        await postpone({ kind: KIND, db, clock, keyOf }, { item, error, log })
      }
      return 'done'
    },
  })
  return withRetries(daily, {
    carryOut: async (recording: WithFile, log) => {
      if (!(await isMissing(deps, recording))) return
      const isAnyThere = await hasAnyFile(deps)
      for (const lost of whereOthersAre({ missing: [recording], isAnyThere }, log)) {
        await expireMissing(deps, lost, log)
      }
    },
  })
}

/** The missing files that count as lost. Empty if the storage itself seems wrong. */
function whereOthersAre(
  { missing, isAnyThere }: Pick<Seen, 'missing' | 'isAnyThere'>,
  log: Logger,
): WithFile[] {
  if (missing.length > WRONG_MAX) {
    log.error('ALARM: many recording files missing: check the storage settings')
    return []
  }
  if (missing.length > 0 && !isAnyThere) {
    log.error('ALARM: every recording file missing: check the storage settings')
    return []
  }
  return missing
}

async function isMissing({ storage }: CheckDeps, { storageKey }: WithFile): Promise<boolean> {
  return (await storage.head(storageKey)) === undefined
}

async function hasAnyFile(deps: CheckDeps): Promise<boolean> {
  for (const recording of await listAvailable(deps.db, { after: BEFORE_ALL, limit: BATCH })) {
    if (!(await isMissing(deps, recording))) return true
  }
  return false
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
        if (await isMissing(deps, recording)) seen.missing.push(recording)
        else seen.isAnyThere = true
      })
      seen.failed.push(...failed)
      if (seen.missing.length > WRONG_MAX || seen.failed.length > WRONG_MAX) return seen
    }
    after = page.length === BATCH ? page.at(-1)?.recordingId : undefined
  }
  return seen
}

/** Expires the recording unless it has moved on meanwhile. */
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
