import { createHash } from 'node:crypto'
import {
  CAPTURE_EXTENSION,
  chunkPrefixOf,
  piecePrefixOf,
} from '@interview-room/composer/capture/capture-archive.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import type { Deps } from '../ports/deps.ts'

const KIND = 'delete-objects'
/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [1, 5, 30, 300, 3600]

/** Removes objects after the commit that dropped their last reference, captures with their chunks. At most a thousand keys. */
export function deleteObjectsRequest(keys: readonly string[]): JobRequest {
  const key = createHash('sha256').update(keys.join('\n')).digest('hex')
  return { kind: KIND, key, payload: { keys: JSON.stringify(keys) } }
}

const HOUR_MS = 60 * 60 * 1000
/** Orders for unclaimed objects that are carried out later than this may be those of a restored database. */
const LATEST_MS = HOUR_MS

/**
 * The same for an object that has no row yet. If the order is carried out an hour late, the object is left to the sweep of unnamed
 * ones: in a restored database the order stands again, though a row claimed the object after the backup.
 */
export function deleteUnclaimedRequest(key: string, dueAt: Date): JobRequest {
  const { payload, ...request } = deleteObjectsRequest([key])
  const latest = new Date(dueAt.getTime() + LATEST_MS).toISOString()
  return { ...request, dueAt, payload: { ...payload, latest } }
}

/**
 * After its last notification a provider mostly stores a file soon. A recorder that was out of reach tries for a day;
 * the sweep of orphans would leave that in the storage for up to two more.
 */
const LATE_MS = [HOUR_MS, 25 * HOUR_MS]

/** The same for objects that somebody else may still be writing: now, in an hour, and when nothing comes any more. */
export function deleteWrittenRequests(keys: readonly string[], now: Date): JobRequest[] {
  const request = deleteObjectsRequest(keys)
  const late = LATE_MS.map((ms, index) => ({
    ...request,
    key: `late-${index + 1} ${request.key}`,
    dueAt: new Date(now.getTime() + ms),
  }))
  return [request, ...late]
}

export function deleteObjectsJob({ storage, clock }: Pick<Deps, 'storage' | 'clock'>): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ payload, log }) {
      const { latest } = payload
      if (typeof latest === 'string' && clock() > new Date(latest)) {
        log.warn('an order to delete an unclaimed object came late: it is left to the sweep')
        return { outcome: 'done' }
      }
      const keys = JSON.parse(String(payload['keys'])) as string[]
      await deleteWithChunks(storage, keys)
      return { outcome: 'done' }
    },
  }
}

/** Removes objects, captures with their chunks and pieces. What is gone already is done. */
export async function deleteWithChunks(
  storage: Deps['storage'],
  keys: readonly string[],
): Promise<void> {
  const beside: string[] = []
  for (const key of keys.filter((each) => each.endsWith(CAPTURE_EXTENSION))) {
    for (const prefix of [chunkPrefixOf(key), piecePrefixOf(key)]) {
      const found = await storage.listWithPrefix(prefix)
      beside.push(...found.map((each) => each.key))
    }
  }
  await storage.delete([...keys, ...beside])
}
