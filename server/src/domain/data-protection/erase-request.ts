import type { JobRequest } from '../../platform/jobs/job.ts'

export const ERASE_KIND = 'erase-data-subject'

/** Requests the next steps of an erasure. */
export function eraseRequest(id: string): JobRequest {
  return { kind: ERASE_KIND, key: id }
}
