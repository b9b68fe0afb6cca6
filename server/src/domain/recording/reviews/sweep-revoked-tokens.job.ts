import { VIEWER_TOKEN_MAX_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { RepeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteRevocations } from './store.ts'

/** A clock that is ahead may have issued a token in the future. */
const KEPT_SEC = 2 * VIEWER_TOKEN_MAX_LIFE_SEC
const EVERY_SEC = 60 * 60

/** Deletes revocations of viewer tokens that have expired by now. */
export function sweepRevokedTokensJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-revoked-viewer-tokens',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) =>
      deleteRevocations(db, { before: new Date(clock().getTime() - KEPT_SEC * 1000), limit }),
  })
}
