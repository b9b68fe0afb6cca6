import { json, type Query } from '../db/db.ts'
import type { JobRequest } from './job.ts'

/**
 * Asks for a job, inside the transaction that makes it necessary. A job with the same kind and key
 * that already waits is brought forward; one that runs is run once more afterwards.
 */
export async function enqueue(tx: Query, request: JobRequest): Promise<void> {
  const payload = request.payload ?? {}
  await tx`
    insert into jobs (kind, key, payload, due_at)
    values (${request.kind}, ${request.key}, ${json(payload)},
            coalesce(${request.dueAt ?? null}::timestamptz, clock_timestamp()))
    on conflict (kind, key) do update
       set requested = jobs.requested + 1,
           payload   = excluded.payload,
           state     = 'due',
           due_at    = least(jobs.due_at, excluded.due_at)
  `
  await tx`select pg_notify('jobs', '')`
}
