import type { Job } from '../../../platform/jobs/job.ts'
import type { TrimDeps } from '../trims/make-trim.ts'
import { trimJob } from '../trims/trim-job.ts'
import { processedTrims } from './attempt-trim.ts'
import { TRIM_KIND } from './trim-request.ts'

/** Makes the files of trims for processed recordings. */
export function trimProcessedJob(deps: TrimDeps): Job {
  return trimJob(deps, {
    kind: TRIM_KIND,
    webhook: 'processed_recording.status_changed',
    owner: processedTrims(deps),
  })
}
