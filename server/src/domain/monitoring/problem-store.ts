import type { Query } from '../../platform/db/db.ts'

export const JOB_STATES = ['stuck', 'due', 'discarded'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface ListedJob {
  kind: string
  key: string
  state: 'due' | 'discarded'
  attempt: number
  /** Runs in a row during which their process died. */
  deaths: number
  dueAt: Date
  leaseUntil: Date | null
  lastError: string | null
}

/** Oldest first. `stuck`: given up, failing repeatedly, running when a process died, or due for a minute without a worker that takes it. */
export async function listJobs(
  query: Query,
  { state, limit }: { state: JobState; limit: number },
): Promise<ListedJob[]> {
  return query<ListedJob[]>`
    select kind, key, state, attempt, deaths, due_at as "dueAt", lease_until as "leaseUntil",
           last_error as "lastError"
      from jobs
     where ${jobsIn(query, state)}
     order by due_at, id
     limit ${limit}
  `
}

function jobsIn(query: Query, state: JobState) {
  if (state === 'due') return query`state = 'due' and due_at <= clock_timestamp()`
  if (state === 'discarded') return query`state = 'discarded'`
  return query`
    (state = 'discarded' or attempt >= 3 or deaths > 0
     or greatest(due_at, lease_until) < clock_timestamp() - interval '1 minute')
  `
}

export const DELIVERY_STATES = ['pending', 'parked', 'succeeded', 'failed', 'cancelled'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface ListedDelivery {
  eventId: string
  tenantId: string
  type: string
  state: string
  attempt: number
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  dueAt: Date | null
}

/** Deliveries of all tenants. Pending and parked ones come oldest first, others newest first. */
export async function listDeliveries(
  query: Query,
  { state, limit }: { state: DeliveryState; limit: number },
): Promise<ListedDelivery[]> {
  const isWaiting = state === 'pending' || state === 'parked'
  return query<ListedDelivery[]>`
    select d.event_id as "eventId", e.tenant_id as "tenantId", e.type, d.state, d.attempt,
           d.last_status as "lastStatus", d.last_error as "lastError",
           d.created_at as "createdAt", d.due_at as "dueAt"
      from webhook_deliveries d
      join webhook_events e on e.id = d.event_id
     where d.state = ${state === 'parked' ? 'pending' : state}
       and (${state !== 'parked'} or d.parked_at is not null)
     order by ${isWaiting ? query`d.id` : query`d.id desc`}
     limit ${limit}
  `
}

export interface ListedEndpoint {
  tenantId: string
  endpointId: string
  url: string
  state: string
  consecutiveFailures: number
  nextProbeAt: Date | null
  pending: number
  oldestAt: Date | null
}

/**
 * Endpoints that accept nothing, or not the latest delivery. Removed endpoints are listed only while deliveries wait for
 * them.
 */
export async function listUnhealthyEndpoints(
  query: Query,
  limit: number,
): Promise<ListedEndpoint[]> {
  return query<ListedEndpoint[]>`
    select e.tenant_id as "tenantId", e.id as "endpointId", e.url, e.state,
           e.consecutive_failures as "consecutiveFailures", e.next_probe_at as "nextProbeAt",
           waiting.pending, waiting."oldestAt"
      from webhook_endpoints e
     cross join lateral (select count(*)::int as pending, min(created_at) as "oldestAt"
                           from webhook_deliveries d
                          where d.endpoint_id = e.id and d.state = 'pending') waiting
     where (e.state <> 'active' or e.consecutive_failures > 0)
       and (e.state <> 'disabled' or waiting.pending > 0)
     order by waiting."oldestAt" nulls last
     limit ${limit}
  `
}
