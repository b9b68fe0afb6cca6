import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteOldAdmissions } from './admission-store.ts'

const EVERY_SEC = 60 * 60

/**
 * Deletes old admissions, with device, address and token. Participants and entries stay. Nobody is inside for that long.
 */
export function sweepAdmissionsJob({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-admissions',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) => deleteOldAdmissions(db, { keptDays: config.admissionRetentionDays, limit }),
  })
}
