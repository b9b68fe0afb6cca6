import { inTransaction } from '../../platform/db/db.ts'
import { dueItemsJob } from '../../platform/jobs/due-items-job.ts'
import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockHolds } from '../booking/lock-holds.ts'
import { deleteRowsBeside } from './delete-recording.ts'
import { listToExpire, mayExpire } from './recordings/expiry-store.ts'
import { lockRecordingIfAny } from './recordings/lock-recording.ts'
import type { RecordingKey } from './recordings/recording.ts'
import { expireWithClips } from './recordings/remove-recording.ts'

const KIND = 'expire-recordings'
const EVERY_SEC = 60 * 60
const DAY_MS = 24 * 60 * 60 * 1000

type ExpireDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Expires recordings that have been available for the configured number of days. The file is deleted with its clips and
 * comments, and the row stays. The kept segments of failed recordings are deleted, too.
 */
export function expireRecordingsJob(deps: ExpireDeps): RepeatingJob {
  const { db, clock } = deps
  return dueItemsJob({
    kind: KIND,
    everySec: EVERY_SEC,
    db,
    clock,
    async list(limit) {
      const before = expiresBefore(deps)
      if (before === undefined) return []
      return listToExpire(db, { before, retriedBy: KIND, limit })
    },
    keyOf: ({ recordingId }) => recordingId,
    carryOut: (key) => expireIfDue(deps, key),
  })
}

/** Returns undefined when recordings are kept without a limit. */
function expiresBefore({ clock, config }: Pick<ExpireDeps, 'clock' | 'config'>): Date | undefined {
  const days = config.recordingRetentionDays
  return days === undefined ? undefined : new Date(clock().getTime() - days * DAY_MS)
}

async function expireIfDue(deps: ExpireDeps, key: RecordingKey): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockHolds(tx, key.tenantId, 'shared')
    const recording = await lockRecordingIfAny(tx, key)
    const before = expiresBefore(deps)
    if (recording === undefined || before === undefined) return
    if (!(await mayExpire(tx, recording.id, before))) return
    await expireWithClips(tx, recording, deps.clock())
    await deleteRowsBeside(tx, recording)
  })
}
