import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { isFileInUse } from './store.ts'

const KIND = 'discard-copy'
/** Longer than any request that copies takes. */
const AFTER_MS = 60 * 60 * 1000

export interface Copy {
  /** Of the processed recording that the copy is made for. */
  id: string
  storageKey: string
}

/** Asked for before an upload is copied: should the copy become nobody's file, it goes again. */
export function discardCopyRequest({ id, storageKey }: Copy, now: Date): JobRequest {
  const dueAt = new Date(now.getTime() + AFTER_MS)
  return { kind: KIND, key: storageKey, payload: { id }, dueAt }
}

export function discardCopyJob({ db, storage }: Pick<Deps, 'db' | 'storage'>): Job {
  return {
    kind: KIND,
    async run({ key: storageKey, payload }) {
      const id = String(payload['id'])
      if (!(await isFileInUse(db, { id, storageKey }))) await storage.delete([storageKey])
      return { outcome: 'done' }
    },
  }
}
