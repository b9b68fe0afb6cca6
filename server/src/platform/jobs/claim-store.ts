import { type Fragment, json, type Query } from '../db/db.ts'
import type { ClaimedJob } from './store.ts'

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

/**
 * Claims as many due jobs as there are places, for a lease of this many seconds. `attempt` counts the runs since the last one that
 * succeeded.
 */
export async function claimJobs(
  query: Query,
  { places, leaseSec }: { places: readonly FreePlaces[]; leaseSec: number },
): Promise<ClaimedJob[]> {
  return query<ClaimedJob[]>`
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
           lease_token = gen_random_uuid(),
           attempt     = attempt + 1
     where id in (select due.id from places, lateral (${firstDue(query)}) as due
                   where not are_in_turns
                  union all
                  select due.id from places, lateral (${nextTurns(query)}) as due
                   where are_in_turns)
    returning id, kind, key, payload, attempt, requested, lease_token as "leaseToken",
              trace_context as "traceContext"
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
  `
}
