import { createHash } from 'node:crypto'
import {
  CAPTURE_EXTENSION,
  chunkPrefixOf,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import type { Deps } from '../ports/deps.ts'

const KIND = 'delete-objects'
/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [1, 5, 30, 300, 3600]

/** Removes objects after the commit that made them nobody's, captures with their chunks. At most a thousand keys. */
export function deleteObjectsRequest(keys: readonly string[]): JobRequest {
  const key = createHash('sha256').update(keys.join('\n')).digest('hex')
  return { kind: KIND, key, payload: { keys: JSON.stringify(keys) } }
}

/** Longer than a provider tries to store a file after its last notification about it. */
const LATE_MAX_MS = 60 * 60 * 1000

/** The same for objects that somebody else may still be writing: now, and again in an hour. */
export function deleteWrittenRequests(keys: readonly string[], now: Date): JobRequest[] {
  const request = deleteObjectsRequest(keys)
  const dueAt = new Date(now.getTime() + LATE_MAX_MS)
  return [request, { ...request, key: `late ${request.key}`, dueAt }]
}

export function deleteObjectsJob({ storage }: Pick<Deps, 'storage'>): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ payload }) {
      const keys = JSON.parse(String(payload['keys'])) as string[]
      await deleteWithChunks(storage, keys)
      return { outcome: 'done' }
    },
  }
}

/** Removes objects, captures with their chunks. What is gone already is done. */
export async function deleteWithChunks(
  storage: Deps['storage'],
  keys: readonly string[],
): Promise<void> {
  const chunks: string[] = []
  for (const key of keys.filter((each) => each.endsWith(CAPTURE_EXTENSION))) {
    const found = await storage.listWithPrefix(chunkPrefixOf(key))
    chunks.push(...found.map((chunk) => chunk.key))
  }
  await storage.delete([...keys, ...chunks])
}
