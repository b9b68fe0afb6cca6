import type { RepeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { sweepJob } from '../../../platform/jobs/sweep-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteOldTexts } from './live-text-store.ts'

const KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_SEC = 60 * 60

/** Deletes live texts after 30 days: the transcript of a recording is what lasts. */
export function sweepLiveTextsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return sweepJob({
    kind: 'sweep-live-texts',
    everySec: EVERY_SEC,
    clock,
    sweep: (limit) =>
      deleteOldTexts(db, { before: new Date(clock().getTime() - KEPT_DAYS * DAY_MS), limit }),
  })
}
