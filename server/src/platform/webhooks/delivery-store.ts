import type { Query, Tx } from '../db/db.ts'

export interface NewEvent {
  id: string
  tenantId: string
  type: string
  occurredAt: Date
  streamKey: string
  dedupeKey: string
  body: string
  /** The caller's traceparent, which the webhook carries. */
  traceparent: string | null
  /** The trace context in which the event was recorded. */
  traceContext: string | null
  /** The only endpoint that gets it, whatever types that one takes; absent if every endpoint that takes its type gets it. */
  onlyTo?: string
}

/**
 * Records the event and a delivery to each endpoint of the tenant that takes its type; does nothing if the event was recorded
 * before. A delivery is due immediately, or once the delivery before it of the same resource is done: that one is locked, so that
 * nobody finishes it without seeing the one that waits for it.
 */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx`
    with event as (
      insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body,
                                  traceparent, trace_context)
      values (${event.id}, ${event.tenantId}, ${event.type}, ${event.occurredAt},
              ${event.streamKey}, ${event.dedupeKey}, ${event.body}, ${event.traceparent},
              ${event.traceContext})
      on conflict (tenant_id, dedupe_key) do nothing
      returning id, tenant_id, type, stream_key
    )
    insert into webhook_deliveries (event_id, endpoint_id, stream_key, due_at)
    select event.id, endpoint.id, event.stream_key,
           case when last.id is null then clock_timestamp() end
      from event
      join webhook_endpoints endpoint on endpoint.tenant_id = event.tenant_id
      left join lateral (
        select d.id
          from webhook_deliveries d
         where d.endpoint_id = endpoint.id and d.stream_key = event.stream_key
           and d.state = 'pending' and d.parked_at is null
         order by d.id desc
         limit 1
           for share
      ) last on true
     where endpoint.state <> 'disabled'
       and case when ${event.onlyTo ?? null}::uuid is null
                then endpoint.event_types is null or event.type = any(endpoint.event_types)
                else endpoint.id = ${event.onlyTo ?? null}::uuid end
  `
  await tx`select pg_notify('webhook_deliveries', '')`
}

/** Records only the event, for the feed; does nothing if it was recorded before. */
export async function insertFeedEvent(tx: Tx, event: Omit<NewEvent, 'onlyTo'>): Promise<void> {
  await tx`
    insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body,
                                traceparent, trace_context, is_feed_only)
    values (${event.id}, ${event.tenantId}, ${event.type}, ${event.occurredAt}, ${event.streamKey},
            ${event.dedupeKey}, ${event.body}, ${event.traceparent}, ${event.traceContext}, true)
    on conflict (tenant_id, dedupe_key) do nothing
  `
}

export interface ClaimedDelivery {
  id: bigint
  eventId: string
  endpointId: string
  streamKey: string
  url: string
  type: string
  body: string
  traceparent: string | null
  traceContext: string | null
  /** Attempts of the schedule that are spent. */
  attempt: number
  leaseToken: string
  isParked: boolean
  /** True when the breaker is open and this attempt only tries whether it may close. */
  isProbe: boolean
  /** The time of the next probe if this one never ended; the endpoint's own value until a probe fails. */
  probeLeaseUntil: Date | null
  /** The endpoint was slow in its last answer. */
  isSlow: boolean
}

/** Longer than an attempt may take. */
export const LEASE_SEC = 30
/** A probe takes the oldest and the newest due delivery: one refused event does not speak for all. */
const PROBES = 2

export interface Slots {
  /** Deliveries to claim at most. */
  limit: number
  /** The share of `limit` for endpoints that answer slowly. */
  slowLimit: number
}

/**
 * Claims due deliveries: the first of each tenant before the second of any, longest-waiting tenants first, and the same for the
 * endpoints of a tenant. One delivery per resource is under way, because the next one is not due before. An endpoint gets as many
 * as its answers allow, and two if an open breaker is probed. A claimed delivery is due again when its lease ends. The cost does not
 * depend on the number of waiting deliveries.
 */
export async function claimDeliveries(
  query: Query,
  { limit, slowLimit }: Slots,
): Promise<ClaimedDelivery[]> {
  return query<ClaimedDelivery[]>`
    with endpoint as materialized (${endpointsToServe(query, { limit, slowLimit })}),
    due as (${dueOfEndpoints(query, limit)}),
    in_turn as (
      select due.*,
             row_number() over (partition by is_slow order by nth, tenant_claimed_at) as place
        from due
    ),
    taken as (
      select d.id
        from webhook_deliveries d
       where d.id in (select id from in_turn
                       where not is_slow or place <= ${slowLimit}
                       order by nth, tenant_claimed_at
                       limit ${limit})
         -- Checked again once the row is locked, because another worker may have claimed it.
         and d.state = 'pending' and d.due_at <= statement_timestamp()
         for update of d skip locked
    ),
    claimed as (
      update webhook_deliveries d
         set due_at = clock_timestamp() + make_interval(secs => ${LEASE_SEC}),
             lease_token = gen_random_uuid()
        from taken
       where d.id = taken.id
      returning d.*
    ),
    served as (
      update webhook_endpoints e
         set claimed_at = clock_timestamp(),
             next_probe_at = case when e.next_probe_at is not null
                                  then clock_timestamp() + make_interval(secs => ${LEASE_SEC}) end
       where e.id in (select endpoint_id from claimed)
      returning e.id, e.next_probe_at
    )
    select d.id, d.event_id as "eventId", d.endpoint_id as "endpointId",
           d.stream_key as "streamKey", endpoint.url, event.type, event.body,
           event.traceparent, event.trace_context as "traceContext", d.attempt,
           d.lease_token as "leaseToken", d.parked_at is not null as "isParked",
           endpoint.is_probing as "isProbe", served.next_probe_at as "probeLeaseUntil",
           endpoint.is_slow as "isSlow"
      from claimed d
      join endpoint on endpoint.id = d.endpoint_id
      join served on served.id = d.endpoint_id
      join webhook_events event on event.id = d.event_id
     order by d.id
  `
}

/**
 * Locks the rows of endpoints that have something due, tenants in turn, with the number of deliveries that each may take.
 */
function endpointsToServe(query: Query, slots: Slots) {
  return query`
    select e.id, e.url, e.is_slow, e.next_probe_at is not null as is_probing,
           turn.free, turn.nth, turn.tenant_id, turn.tenant_claimed_at
      from (
        select waiting.*,
               row_number() over (partition by waiting.tenant_id order by waiting.claimed_at) as nth
          from (${endpointsWaiting(query, slots)}) waiting
      ) turn
      join webhook_endpoints e on e.id = turn.id
     -- Checked again once the row is locked, because another worker may have changed it.
     where e.state = 'active'
       and (e.next_probe_at is null or e.next_probe_at <= statement_timestamp())
     order by turn.nth, turn.tenant_claimed_at
     limit ${slots.limit}
       for no key update of e skip locked
  `
}

/**
 * Endpoints that have something due and free places, with the last turn of their tenant. Slow ones are skipped while their share
 * is used up: enough of them in front would keep all others waiting.
 */
function endpointsWaiting(query: Query, { slowLimit }: Slots) {
  return query`
    select e.id, e.tenant_id, e.claimed_at, tenant.claimed_at as tenant_claimed_at, places.free
      from webhook_endpoints e
     cross join lateral (
       select case when e.next_probe_at is null then e.parallel else ${PROBES} end - count(*) as free
         from webhook_deliveries f
        where f.endpoint_id = e.id and f.lease_token is not null
          and f.due_at > statement_timestamp()
     ) places
     cross join lateral (
       select max(o.claimed_at) as claimed_at from webhook_endpoints o where o.tenant_id = e.tenant_id
     ) tenant
     where e.state = 'active' and places.free > 0 and (not e.is_slow or ${slowLimit} > 0)
       and (e.next_probe_at is null or e.next_probe_at <= statement_timestamp())
       and exists (select 1 from webhook_deliveries d
                    where d.endpoint_id = e.id and d.state = 'pending'
                      and d.due_at <= statement_timestamp())
  `
}

/** The oldest due deliveries of each row of `endpoint`, and the newest one if it is probed; numbered by tenant. */
function dueOfEndpoints(query: Query, limit: number) {
  return query`
    select d.id, endpoint.is_slow, endpoint.tenant_claimed_at,
           row_number() over (partition by endpoint.tenant_id order by d.nth, endpoint.nth) as nth
      from endpoint
     cross join lateral (
       select id, row_number() over (order by due_at) as nth
         from (
           (select c.id, c.due_at
              from webhook_deliveries c
             where c.endpoint_id = endpoint.id and c.state = 'pending'
               and c.due_at <= statement_timestamp()
             order by c.due_at
             limit greatest(case when endpoint.is_probing then 1
                                 else least(endpoint.free, ${limit}) end, 0))
            union
           (select c.id, c.due_at
              from webhook_deliveries c
             where endpoint.is_probing
               and c.endpoint_id = endpoint.id and c.state = 'pending'
               and c.due_at <= statement_timestamp()
             order by c.due_at desc
             limit 1)
         ) oldest
     ) d
  `
}

export interface Attempt {
  startedAt: Date
  durationMs: number
  status: number | null
  errorClass: string | null
}

export interface Ending {
  state: 'pending' | 'succeeded' | 'failed'
  /** Attempts of the schedule that are spent, this one included where it counts. */
  attempt: number
  dueAt: Date
  isParked: boolean
}

/**
 * Records one attempt and its result. If the delivery is done, the one that waited for it becomes due. False if the lease was lost
 * meanwhile.
 */
export async function finishDelivery(
  tx: Tx,
  delivery: ClaimedDelivery,
  { attempt, ending }: { attempt: Attempt; ending: Ending },
): Promise<boolean> {
  const { count } = await tx`
    with finished as (
      update webhook_deliveries
         set state = ${ending.state}, attempt = ${ending.attempt},
             attempts_made = attempts_made + 1, due_at = ${ending.dueAt}, lease_token = null,
             parked_at = case when ${ending.isParked} then coalesce(parked_at, clock_timestamp()) end,
             last_status = ${attempt.status}, last_error = ${attempt.errorClass},
             finished_at = case when ${ending.state} <> 'pending' then clock_timestamp() end
       where id = ${delivery.id} and lease_token = ${delivery.leaseToken}
      returning id, attempts_made
    )
    insert into webhook_attempts (delivery_id, n, kind, started_at, duration_ms, status, error_class)
    select id, attempts_made, ${delivery.isProbe ? 'probe' : 'scheduled'}, ${attempt.startedAt},
           ${attempt.durationMs}, ${attempt.status}, ${attempt.errorClass}
      from finished
  `
  if (count === 0) return false
  if (ending.state !== 'pending' || ending.isParked) await makeNextDue(tx, delivery)
  return true
}

/** Makes the resource's oldest delivery due that is not parked, if it waited for others. */
export async function makeNextDue(
  tx: Tx,
  { endpointId, streamKey }: Pick<ClaimedDelivery, 'endpointId' | 'streamKey'>,
): Promise<void> {
  await tx`
    update webhook_deliveries
       set due_at = clock_timestamp()
     where id = (select id from webhook_deliveries
                  where endpoint_id = ${endpointId} and stream_key = ${streamKey}
                    and state = 'pending' and parked_at is null
                  order by id
                  limit 1)
       and due_at is null
  `
}

/** Makes a resource's first delivery due that nothing else will: two were recorded at the same time. */
export async function makeForgottenDue(query: Query): Promise<number> {
  const { count } = await query`
    update webhook_deliveries d
       set due_at = clock_timestamp()
      from (select distinct on (endpoint_id, stream_key) id
              from webhook_deliveries
             where state = 'pending' and parked_at is null
             order by endpoint_id, stream_key, id) first
     where d.id = first.id and d.due_at is null and d.state = 'pending'
  `
  return count
}

const KEPT_DAYS = 30

/**
 * The oldest events of more than thirty days ago, with their deliveries and attempts. What is still
 * pending by then waits for an endpoint that is gone, paused or never answers, and goes, too.
 */
export async function deleteOldWebhooks(
  query: Query,
  limit: number,
): Promise<{ events: number; undelivered: number }> {
  const [row] = await query<{ events: number; undelivered: number }[]>`
    with old as (
      select id from webhook_events
       where created_at < statement_timestamp() - make_interval(days => ${KEPT_DAYS})
       order by created_at
       limit ${limit}
    ), undelivered as (
      select count(*)::int as count
        from webhook_deliveries
       where event_id = any(array(select id from old)) and state = 'pending'
    ), gone as (
      delete from webhook_events where id = any(array(select id from old)) returning 1
    )
    select (select count(*)::int from gone) as events,
           (select count from undelivered) as undelivered
  `
  return row ?? { events: 0, undelivered: 0 }
}
