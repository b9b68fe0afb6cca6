import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'

const KIND = 'undo-abandoned-rooms'

/** Asked for once at every start; the job then repeats itself. */
export const undoAbandonedRoomsRequest: JobRequest = { kind: KIND, key: 'all' }

/** Removes rooms whose creator died between the intention and the provider's answer. */
export function undoAbandonedRoomsJob(_deps: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    run: async () => {
      throw new Error('not written yet')
    },
  }
}
