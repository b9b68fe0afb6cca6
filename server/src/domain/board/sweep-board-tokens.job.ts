import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { deleteOldBoardTokens } from './store.ts'

const KEPT_DAYS = 30
const EVERY_SEC = 60 * 60

/** Deletes links of boards some time after they ended. */
export function sweepLinksJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-board-links',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) => deleteOldBoardTokens(db, { keptDays: KEPT_DAYS, limit }),
  })
}
