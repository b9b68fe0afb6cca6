import type { Query, Tx } from '../db/db.ts'
import type { JobRequest } from './job.ts'

type JobName = Pick<JobRequest, 'kind' | 'key'>

/** Takes back what was asked for; false when it has begun already, or is done. */
export async function withdraw(tx: Tx, { kind, key }: JobName): Promise<boolean> {
  const { count } = await tx`
    delete from jobs
     where kind = ${kind} and key = ${key} and lease_token is null and attempt = 0
  `
  return count === 1
}

/** Brings forward what was asked for; nothing when it was withdrawn or is done. */
export async function hasten(query: Query, { kind, key }: JobName): Promise<void> {
  await query`
    update jobs set due_at = least(due_at, clock_timestamp()) where kind = ${kind} and key = ${key}
  `
  await query`select pg_notify('jobs', '')`
}
