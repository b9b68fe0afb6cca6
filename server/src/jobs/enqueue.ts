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

/** The same for many at once, each under a key of its own. */
export async function enqueueAll(tx: Query, requests: readonly JobRequest[]): Promise<void> {
  if (requests.length === 0) return
  const rows = requests.map(({ kind, key, payload = {}, dueAt }) => ({
    kind,
    key,
    payload,
    due_at: dueAt?.toISOString() ?? null,
  }))
  await tx`
    insert into jobs (kind, key, payload, due_at)
    select kind, key, payload, coalesce(due_at, clock_timestamp())
      from jsonb_to_recordset(${json(rows)})
           as request (kind text, key text, payload jsonb, due_at timestamptz)
    on conflict (kind, key) do update
       set requested = jobs.requested + 1,
           payload   = excluded.payload,
           state     = 'due',
           due_at    = least(jobs.due_at, excluded.due_at)
  `
  await tx`select pg_notify('jobs', '')`
}
