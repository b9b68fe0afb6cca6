import { type Fragment, json, type Query, type Tx } from '../db/db.ts'
import { traceContext } from '../lib/trace.ts'
import type { JobRequest } from './job.ts'

/** PostgreSQL channel of the hints that there is work. */
export const JOBS_CHANNEL = 'jobs'

type JobName = Pick<JobRequest, 'kind' | 'key'>

export interface ClaimedJob {
  id: bigint
  kind: string
  key: string
  payload: Record<string, unknown>
  attempt: number
  /** The number of requests until the claim. If it has grown at the end, the job runs again. */
  requested: bigint
  leaseToken: string
  /** The trace of the last request. */
  traceContext: string | null
}

type Lease = Pick<ClaimedJob, 'id' | 'leaseToken'>

/**
 * A job is isolated after this many runs in a row during which their process died. One death says nothing about the jobs that were
 * under way: a machine was lost. The same job under way again is a pattern.
 */
export const ISOLATED_FROM = 2
/** After three deaths while nothing else ran, the job is given up. */
const GIVEN_UP_AFTER = ISOLATED_FROM + 3

/** Part of a statement, with the number itself: the index is for it. */
export function isIsolated(query: Query): Fragment {
  return query`jobs.deaths >= 2`
}

/** False if the lease is lost, because another worker has the job. */
export async function extendLease(
  query: Query,
  { id, leaseToken }: Lease,
  leaseSec: number,
): Promise<boolean> {
  const { count } = await query`
    update jobs set lease_until = clock_timestamp() + make_interval(secs => ${leaseSec})
     where id = ${id} and lease_token = ${leaseToken}
  `
  return count === 1
}

/** Removes the job. If it was requested again meanwhile, it is due immediately instead. */
export async function finishJob(query: Query, job: ClaimedJob): Promise<void> {
  const { count } = await query`
    delete from jobs
     where id = ${job.id} and lease_token = ${job.leaseToken} and requested = ${job.requested}
  `
  if (count === 1) return
  // A statement of its own: in one with the delete it would see the job as it was before a request that the delete had to wait for,
  // and the job would wait for the end of its lease.
  await query`
    update jobs
       set lease_until = null, lease_token = null, attempt = 0, deaths = 0, last_error = null,
           due_at = clock_timestamp(), succeeded_at = clock_timestamp()
     where id = ${job.id} and lease_token = ${job.leaseToken}
  `
}

export interface Rearm {
  /** A moment, or seconds from now by the database's clock. */
  due: Date | number
  /** Null after a successful run. */
  error: string | null
}

/** Plans another run at this time, or immediately if it was requested meanwhile. */
export async function rearmJob(
  query: Query,
  job: ClaimedJob,
  { due, error }: Rearm,
): Promise<void> {
  await query`
    update jobs
       set lease_until = null, lease_token = null, deaths = 0, last_error = ${error},
           succeeded_at = case when ${error}::text is null then clock_timestamp()
                               else succeeded_at end,
           attempt = case when ${error}::text is null then 0 else attempt end,
           due_at  = case when requested <> ${job.requested} and ${error}::text is null
                          then clock_timestamp()
                          else coalesce(${due instanceof Date ? due : null}::timestamptz,
                                        clock_timestamp() + make_interval(secs => ${
                                          due instanceof Date ? 0 : due
                                        })) end
     where id = ${job.id} and lease_token = ${job.leaseToken}
  `
}

/** Seconds until an isolated job runs again, after this many runs since the last one that succeeded: 30 s, 2, 8, 15 min. */
function isolatedPauseSec(attempt: number): number {
  return Math.min(30 * 4 ** Math.max(attempt - 2, 0), 900)
}

/**
 * Puts a claimed job aside that is isolated from now on, or still: it runs later. After the last death it is kept, but runs no
 * more, even if it is requested again. True if it was given up.
 */
export async function putAside(
  query: Query,
  { id, leaseToken, attempt, deaths }: Lease & Pick<ClaimedJob, 'attempt'> & { deaths: number },
): Promise<boolean> {
  const isGivenUp = deaths >= GIVEN_UP_AFTER
  const reason = isGivenUp
    ? `its process died ${deaths} times, at last while nothing else ran in it`
    : `its process died ${deaths} times: it runs alone`
  await query`
    update jobs
       set lease_until = null, lease_token = null, last_error = ${reason},
           state = ${isGivenUp ? 'discarded' : 'due'},
           due_at = clock_timestamp() + make_interval(secs => ${isolatedPauseSec(attempt)})
     where id = ${id} and lease_token = ${leaseToken}
  `
  return isGivenUp
}

/** Frees a reserved job for a later minute: other jobs could not be interrupted here. */
export async function putOffReserved(query: Query, { id }: Pick<Lease, 'id'>): Promise<void> {
  await query`
    update jobs set lease_until = null, due_at = clock_timestamp() + interval '1 minute'
     where id = ${id} and lease_token is null
  `
}

/** Ends the isolation of a running job. Another death isolates it again. */
export async function acquit(query: Query, { id, leaseToken }: Lease): Promise<void> {
  await query`
    update jobs set deaths = ${ISOLATED_FROM - 1} where id = ${id} and lease_token = ${leaseToken}
  `
}

/** Keeps the job with its reason, but runs it no more. If it was requested again meanwhile, it is due immediately instead. */
export async function discardJob(query: Query, job: ClaimedJob, reason: string): Promise<void> {
  await query`
    update jobs
       set lease_until = null, lease_token = null, last_error = ${reason},
           state = case when requested = ${job.requested} then 'discarded' else state end,
           attempt = case when requested = ${job.requested} then attempt else 0 end,
           deaths = 0,
           due_at = case when requested = ${job.requested} then due_at else clock_timestamp() end
     where id = ${job.id} and lease_token = ${job.leaseToken}
  `
}

/** Gives back a claimed job that has not finished. This counts as no attempt. */
export async function releaseJob(query: Query, { id, leaseToken }: Lease): Promise<void> {
  await query`
    update jobs
       set lease_until = null, lease_token = null, due_at = clock_timestamp(), attempt = attempt - 1
     where id = ${id} and lease_token = ${leaseToken}
  `
}

/** Deletes discarded jobs, oldest first, that have not been due for this many days; returns how many. */
export async function deleteDiscarded(
  query: Query,
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from jobs
     where id = any(array(
             select id from jobs
              where state = 'discarded'
                and due_at < statement_timestamp() - make_interval(days => ${keptDays})
              order by due_at
              limit ${limit}))
  `
  return count
}

/**
 * Makes a discarded job due immediately, as if it had never run; false if no such job was discarded. One that killed its processes
 * stays isolated.
 */
export async function retryDiscarded(query: Query, { kind, key }: JobName): Promise<boolean> {
  const [retried] = await query`
    with retried as (
      update jobs
         set state = 'due', attempt = 0, last_error = null, due_at = clock_timestamp(),
             deaths = least(deaths, ${ISOLATED_FROM})
       where kind = ${kind} and key = ${key} and state = 'discarded'
      returning id
    )
    select pg_notify(${JOBS_CHANNEL}, '') from retried
  `
  return retried !== undefined
}

/** False if no such job was discarded. */
export async function deleteDiscardedJob(query: Query, { kind, key }: JobName): Promise<boolean> {
  const { count } = await query`
    delete from jobs where kind = ${kind} and key = ${key} and state = 'discarded'
  `
  return count === 1
}

/**
 * Enqueues a job, due immediately by default. A waiting job is brought forward, and a running one runs again. An isolated job keeps
 * its time, and one whose processes died stays given up.
 */
export async function upsertJobs(query: Query, requests: readonly JobRequest[]): Promise<void> {
  const rows = requests.map(({ kind, key, payload = {}, dueAt }) => ({
    kind,
    key,
    payload,
    due_at: dueAt?.toISOString() ?? null,
    trace_context: traceContext() ?? null,
  }))
  await query`
    with asked as (
      insert into jobs (kind, key, payload, due_at, trace_context)
      select kind, key, payload, coalesce(due_at, clock_timestamp()), trace_context
        from jsonb_to_recordset(${json(rows)})
             as request (kind text, key text, payload jsonb, due_at timestamptz, trace_context text)
      on conflict (kind, key) do update
         set requested     = jobs.requested + 1,
             payload       = excluded.payload,
             state         = case when jobs.deaths >= ${GIVEN_UP_AFTER} then jobs.state else 'due' end,
             due_at        = case when ${isIsolated(query)} then jobs.due_at
                                  else least(jobs.due_at, excluded.due_at) end,
             trace_context = excluded.trace_context
    )
    select pg_notify(${JOBS_CHANNEL}, '')
  `
}

/** Requests a job unless one waits or runs already: then nothing changes, neither its time nor its pauses. */
export async function insertJobOnce(
  query: Query,
  { kind, key, payload = {}, dueAt }: JobRequest,
): Promise<void> {
  await query`
    with asked as (
      insert into jobs (kind, key, payload, due_at, trace_context)
      values (${kind}, ${key}, ${json(payload)}, coalesce(${dueAt ?? null}::timestamptz, clock_timestamp()),
              ${traceContext() ?? null})
      on conflict (kind, key) do nothing
    )
    select pg_notify(${JOBS_CHANNEL}, '')
  `
}

/** Part of a statement: true if the item of this key has failed, and a job of its own retries it. */
export function isPostponed(
  query: Query,
  { kind, key }: { kind: string; key: Fragment },
): Fragment {
  return query`exists (select 1 from jobs j where j.kind = ${kind} and j.key = ${key} offset 0)`
}

export interface LatestRun {
  kind: string
  /** For the repeating job of this kind. */
  repeatsWithinSec: number | null
  /** By failures. The last one holds for all that follow. */
  retriesWithinSec: readonly number[]
}

/** Makes jobs due that are planned for later than that from now; returns their kinds. */
export async function makeOverplannedDue(
  query: Query,
  latest: readonly LatestRun[],
): Promise<string[]> {
  const rows = await query<{ kind: string }[]>`
    update jobs
       set due_at = clock_timestamp()
      from jsonb_to_recordset(${json(latest)})
             as latest (kind text, "repeatsWithinSec" float8, "retriesWithinSec" float8[])
     where jobs.kind = latest.kind and jobs.state = 'due' and jobs.lease_token is null
       and jobs.due_at > clock_timestamp() + make_interval(secs =>
             case when jobs.attempt > 0
                  then latest."retriesWithinSec"[least(jobs.attempt, cardinality(latest."retriesWithinSec"))]
                  when jobs.key = 'all' then latest."repeatsWithinSec" end)
       and not ${isIsolated(query)}
    returning jobs.kind
  `
  return rows.map(({ kind }) => kind)
}

/** Cuts leases to `leaseSec` that end later than `maxSec` from now; returns the kinds of their jobs. */
export async function endOverlongLeases(
  query: Query,
  { leaseSec, maxSec }: { leaseSec: number; maxSec: number },
): Promise<string[]> {
  const rows = await query<{ kind: string }[]>`
    update jobs
       set lease_until = clock_timestamp() + make_interval(secs => ${leaseSec})
     where lease_until > clock_timestamp() + make_interval(secs => ${maxSec})
    returning kind
  `
  return rows.map(({ kind }) => kind)
}

/** The progress of a job: waiting for its turn, or running; undefined if it does not exist, or was discarded. */
export async function findProgress(
  query: Query,
  { kind, key }: JobName,
): Promise<'waiting' | 'running' | undefined> {
  const [job] = await query<{ isRunning: boolean | null }[]>`
    select lease_until >= clock_timestamp() as "isRunning"
      from jobs
     where kind = ${kind} and key = ${key} and state = 'due'
  `
  if (job === undefined) return undefined
  return job.isRunning === true ? 'running' : 'waiting'
}

/** True while the job is due or runs, so that what was requested last has not been done yet. */
export async function isUnderWay(query: Query, { kind, key }: JobName): Promise<boolean> {
  const rows = await query`
    select 1
      from jobs
     where kind = ${kind} and key = ${key} and state = 'due'
       and (due_at <= clock_timestamp() or lease_until >= clock_timestamp())
  `
  return rows.length > 0
}

/** Withdraws a requested job; false if it has begun already, or is done. */
export async function withdraw(tx: Tx, { kind, key }: JobName): Promise<boolean> {
  const { count } = await tx`
    delete from jobs
     where kind = ${kind} and key = ${key} and lease_token is null and attempt = 0
  `
  return count === 1
}

/** Postpones a requested job. Does nothing if it has begun already, was withdrawn or is done. */
export async function putOff(query: Query, { kind, key }: JobName, until: Date): Promise<void> {
  await query`
    update jobs
       set due_at = greatest(due_at, ${until})
     where kind = ${kind} and key = ${key} and lease_token is null and attempt = 0
  `
}

/** Removes every job of these keys, whatever its kind. For keys that name an erased person. */
export async function deleteJobsOf(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`delete from jobs where key = any(${[...keys]})`
}

/** Brings a requested job forward. Does nothing if it was withdrawn or is done. */
export async function runSoon(query: Query, { kind, key }: JobName): Promise<void> {
  await query`
    with hastened as (
      update jobs set due_at = least(due_at, clock_timestamp()) where kind = ${kind} and key = ${key}
    )
    select pg_notify(${JOBS_CHANNEL}, '')
  `
}

/**
 * The time up to which a repeating job has done its work: the end of its last good run, or the time since when a part that it
 * requested waits or fails, if that is earlier. Undefined before the first run.
 */
export async function lastRunOf(
  query: Query,
  { repeating, parts }: { repeating: string; parts: string },
): Promise<Date | undefined> {
  const [row] = await query<{ at: Date | null }[]>`
    select least((select max(succeeded_at) from jobs where kind = ${repeating}),
                 (select min(coalesce(succeeded_at, created_at)) from jobs where kind = ${parts})) as at
  `
  return row?.at ?? undefined
}
