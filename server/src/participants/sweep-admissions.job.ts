import type { Deps } from '../deps.ts'
import type { RepeatingJob } from '../jobs/repeating-job.ts'
import { sweepJob } from '../jobs/sweep-job.ts'
import { deleteOldAdmissions } from './store.ts'

const EVERY_SEC = 60 * 60

/**
 * Forgets who passed the gate with which device, from where and by which token. Participants and entries
 * stay; nobody is inside for that long.
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
