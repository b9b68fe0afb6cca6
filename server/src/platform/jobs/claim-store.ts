import { randomUUID } from 'node:crypto'
import { type Fragment, json, type Query } from '../db/db.ts'
import { type ClaimedJob, isIsolated, ISOLATED_FROM } from './store.ts'

export interface DueJob extends ClaimedJob {
  /** Runs in a row during which their process died. */
  deaths: number
  /** It is isolated and has no lease yet. */
  isReserved: boolean
}

/** The places that jobs of these kinds share, and the number of free ones. */
export interface FreePlaces {
  kinds: readonly string[]
  free: number
  /**
   * Tenants take turns: one gets its second place when every other waiting tenant has one. Otherwise the jobs come first
   * that were due first. For jobs whose payload has a `tenantId`.
   */
  areInTurns: boolean
}

/** Select this many more jobs than needed, because other processes may claim some of them at the same moment. */
const TAKEN_MEANWHILE = 32

interface Claim {
  places: readonly FreePlaces[]
  leaseSec: number
  /** A UUID by which the jobs of this claim are found again. */
  leaseToken?: string
}

/**
 * Claims as many due jobs as there are places, for a lease of this many seconds. `attempt` counts the runs since the last one that
 * succeeded. A lease that has run out with its token says that the process died during the run, which `deaths` counts. Beside
 * them, one isolated job that is due is reserved: `beginAlone` claims it when nothing else runs here.
 */
export async function claimJobs(
  query: Query,
  { places, leaseSec, leaseToken = randomUUID() }: Claim,
): Promise<DueJob[]> {
  return query<DueJob[]>`
    with places as materialized (
      select kinds, free, "areInTurns" as are_in_turns
        from jsonb_to_recordset(${json(places)})
               as places (kinds text[], free int, "areInTurns" boolean)
       where free > 0
    ),
    -- Running jobs have the first turns of their tenant.
    turns as materialized (
      select kinds, id, due_at, lease_until,
             row_number() over (partition by kinds, payload ->> 'tenantId'
                                order by lease_until >= clock_timestamp() desc nulls last, due_at)
               as turn
        from places
        join jobs on kind = any(kinds)
       where are_in_turns
         and state = 'due'
         and due_at <= statement_timestamp()
    )
    update jobs
       set lease_until = clock_timestamp() + make_interval(secs => ${leaseSec}),
           lease_token = case when ${isIsolated(query)} and lease_token is null then null
                              else ${leaseToken}::uuid end,
           deaths      = deaths + (lease_token is not null)::int,
           attempt     = attempt + (deaths + (lease_token is not null)::int < ${ISOLATED_FROM})::int
     where id in (select due.id from places, lateral (${firstDue(query)}) as due
                   where not are_in_turns
                  union all
                  select due.id from places, lateral (${nextTurns(query)}) as due
                   where are_in_turns
                  union all
                  select due.id from (${nextIsolated(query)}) as due)
    returning ${claimedColumns(query)}, deaths, lease_token is null as "isReserved"
  `
}

/** Gives back what was claimed with these tokens, if their claims had no answer. This counts as no attempt. */
export async function releaseClaims(query: Query, leaseTokens: readonly string[]): Promise<void> {
  await query`
    update jobs
       set lease_until = null, lease_token = null, due_at = clock_timestamp(),
           attempt = attempt - (not ${isIsolated(query)})::int
     where lease_token = any(${[...leaseTokens]}::uuid[])
  `
}

/** Claims a reserved job. Undefined if another process was faster. */
export async function beginAlone(
  query: Query,
  { id }: Pick<DueJob, 'id'>,
  leaseSec: number,
): Promise<ClaimedJob | undefined> {
  const [claimed] = await query<ClaimedJob[]>`
    update jobs
       set lease_until = clock_timestamp() + make_interval(secs => ${leaseSec}),
           lease_token = gen_random_uuid(),
           attempt     = attempt + 1
     where id = ${id} and state = 'due' and ${isIsolated(query)} and lease_token is null
    returning ${claimedColumns(query)}
  `
  return claimed
}

function claimedColumns(query: Query): Fragment {
  return query`
    id, kind, key, payload, attempt, requested, lease_token as "leaseToken",
    trace_context as "traceContext"
  `
}

/** The isolated job that was due first, unless one runs or is reserved somewhere. */
function nextIsolated(query: Query): Fragment {
  return query`
    select id
      from jobs
     where ${isIsolated(query)}
       and kind in (select unnest(kinds) from places)
       and state = 'due'
       and due_at <= statement_timestamp()
       and lease_token is null
       and (lease_until is null or lease_until < clock_timestamp())
       and not exists (select 1 from jobs other
                        where other.deaths >= 2 and other.state = 'due'
                          and other.lease_until >= clock_timestamp())
     order by due_at
     limit 1
       for update skip locked
  `
}

function firstDue(query: Query): Fragment {
  return query`
    select id
      from jobs
     where kind = any(places.kinds)
       and ${isFree(query)}
     order by due_at
     limit places.free
       for update skip locked
  `
}

function nextTurns(query: Query): Fragment {
  return query`
    select jobs.id
      from (select id, turn
              from turns
             where turns.kinds = places.kinds
               and (lease_until is null or lease_until < clock_timestamp())
             order by turn, due_at
             limit places.free + ${TAKEN_MEANWHILE}) as next
      join jobs on jobs.id = next.id
     where ${isFree(query)}
     order by next.turn, jobs.due_at
     limit places.free
       for update of jobs skip locked
  `
}

function isFree(query: Query): Fragment {
  return query`
    jobs.state = 'due'
    and jobs.due_at <= statement_timestamp()
    and (jobs.lease_until is null or jobs.lease_until < clock_timestamp())
    and not (${isIsolated(query)} and jobs.lease_token is null)
  `
}
