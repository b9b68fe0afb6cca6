import type { Query, Tx } from '../db/db.ts'

export interface Endpoint {
  id: string
  tenantId: string
  url: string
  state: 'active' | 'paused' | 'gone' | 'disabled'
  consecutiveFailures: number
  nextProbeAt: Date | null
}

function endpointColumns(query: Query) {
  return query`
    id, tenant_id as "tenantId", url, state, consecutive_failures as "consecutiveFailures",
    next_probe_at as "nextProbeAt"
  `
}

export async function findEndpoint(query: Query, tenantId: string): Promise<Endpoint | undefined> {
  const [row] = await query<Endpoint[]>`
    select ${endpointColumns(query)} from webhook_endpoints where tenant_id = ${tenantId}
  `
  return row
}

/** Makes or replaces the tenant's endpoint; its breaker starts closed. Answers its id. */
export async function upsertEndpoint(
  tx: Tx,
  endpoint: { id: string; tenantId: string; url: string },
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into webhook_endpoints (id, tenant_id, url)
    values (${endpoint.id}, ${endpoint.tenantId}, ${endpoint.url})
    on conflict (tenant_id) do update
       set url = excluded.url, state = 'active', ${closedBreaker(tx)}
    returning id
  `
  return row?.id ?? endpoint.id
}

/** A breaker that knows of no failure, and a pace to begin with. */
function closedBreaker(query: Query) {
  return query`
    consecutive_failures = 0, next_probe_at = null, failed_event_id = null, failed_events = 0,
    parallel = ${PARALLEL_MIN}, updated_at = clock_timestamp()
  `
}

export async function insertSecret(
  tx: Tx,
  secret: { id: string; endpointId: string; sealed: Uint8Array },
): Promise<void> {
  await tx`
    insert into webhook_secrets (id, endpoint_id, secret_encrypted)
    values (${secret.id}, ${secret.endpointId}, ${Buffer.from(secret.sealed)})
  `
}

/** The older secrets still sign until then; null ends them at once. */
export async function expireSecrets(
  tx: Tx,
  { endpointId, at, keep }: { endpointId: string; at: Date | null; keep: number },
): Promise<void> {
  if (at === null) {
    await tx`delete from webhook_secrets where endpoint_id = ${endpointId}`
    return
  }
  await tx`
    update webhook_secrets set expires_at = least(expires_at, ${at}) where endpoint_id = ${endpointId}
  `
  await tx`
    delete from webhook_secrets
     where endpoint_id = ${endpointId}
       and id not in (select id from webhook_secrets where endpoint_id = ${endpointId}
                       order by created_at desc, id desc limit ${keep})
  `
}

/** Valid ones, the newest first. */
export async function listSecrets(query: Query, endpointId: string): Promise<Uint8Array[]> {
  const rows = await query<{ sealed: Uint8Array }[]>`
    select secret_encrypted as sealed
      from webhook_secrets
     where endpoint_id = ${endpointId}
       and (expires_at is null or expires_at > clock_timestamp())
     order by created_at desc, id desc
     limit 3
  `
  return rows.map(({ sealed }) => sealed)
}

export interface NewEvent {
  id: string
  tenantId: string
  type: string
  occurredAt: Date
  streamKey: string
  dedupeKey: string
  body: string
  traceparent: string | null
}

/**
 * The event and its delivery to the tenant's endpoint; nothing when it was recorded before. A
 * delivery is due at once, or when the one before it of its resource is out of the way: that one is
 * locked, so that nobody finishes it without seeing who waits behind it.
 */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx`
    with event as (
      insert into webhook_events (id, tenant_id, type, occurred_at, stream_key, dedupe_key, body,
                                  traceparent)
      values (${event.id}, ${event.tenantId}, ${event.type}, ${event.occurredAt},
              ${event.streamKey}, ${event.dedupeKey}, ${event.body}, ${event.traceparent})
      on conflict (tenant_id, dedupe_key) do nothing
      returning id, tenant_id, stream_key
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
  `
  await tx`select pg_notify('webhook_deliveries', '')`
}

export interface ClaimedDelivery {
  id: bigint
  eventId: string
  endpointId: string
  streamKey: string
  url: string
  body: string
  traceparent: string | null
  /** Attempts of the schedule that are spent. */
  attempt: number
  leaseToken: string
  isParked: boolean
  /** True when the breaker is open and this attempt only tries whether it may close. */
  isProbe: boolean
  /** The endpoint took long to answer the last time. */
  isSlow: boolean
}

/** More than an attempt may take. */
const LEASE_SEC = 30
export const PARALLEL_MIN = 4
export const PARALLEL_MAX = 64
/** The oldest and the newest that are due: one event that is refused is no answer for all. */
const PROBES = 2

export interface Slots {
  /** Deliveries that are taken at most. */
  limit: number
  /** Those among them to endpoints that answer slowly. */
  slowLimit: number
}

/**
 * Takes due deliveries: the first of each endpoint before the second of any, in turn by who was
 * served longest ago. One is on its way per resource, because the next one is not due before; as many
 * per endpoint as its answers allow, and two where an open breaker is probed. A delivery that is taken
 * is due again when its lease ends. The cost does not depend on how much waits.
 */
export async function claimDeliveries(
  query: Query,
  { limit, slowLimit }: Slots,
): Promise<ClaimedDelivery[]> {
  return query<ClaimedDelivery[]>`
    with endpoint as materialized (
      select e.id, e.url, e.claimed_at, e.is_slow, e.parallel,
             e.next_probe_at is not null as is_probing,
             case when e.next_probe_at is null then e.parallel else ${PROBES} end
               - (select count(*) from webhook_deliveries f
                   where f.endpoint_id = e.id and f.lease_token is not null
                     and f.due_at > statement_timestamp()) as free
        from webhook_endpoints e
       where e.state = 'active'
         and (e.next_probe_at is null or e.next_probe_at <= statement_timestamp())
         and exists (select 1 from webhook_deliveries d
                      where d.endpoint_id = e.id and d.state = 'pending'
                        and d.due_at <= statement_timestamp())
       order by e.claimed_at
       limit ${limit}
         for no key update of e skip locked
    ),
    due as (
      select d.id, endpoint.id as endpoint_id, endpoint.is_slow, endpoint.claimed_at,
             row_number() over (partition by endpoint.id) as nth
        from endpoint
       cross join lateral (
         (select c.id
            from webhook_deliveries c
           where c.endpoint_id = endpoint.id and c.state = 'pending'
             and c.due_at <= statement_timestamp()
           order by c.due_at
           limit greatest(case when endpoint.is_probing then 1 else endpoint.free end, 0))
          union
         (select c.id
            from webhook_deliveries c
           where endpoint.is_probing
             and c.endpoint_id = endpoint.id and c.state = 'pending'
             and c.due_at <= statement_timestamp()
           order by c.due_at desc
           limit 1)
       ) d
       where endpoint.free > 0
    ),
    in_turn as (
      select due.*,
             row_number() over (partition by is_slow order by nth, claimed_at) as place
        from due
    ),
    taken as (
      select d.id
        from webhook_deliveries d
       where d.id in (select id from in_turn
                       where not is_slow or place <= ${slowLimit}
                       order by nth, claimed_at
                       limit ${limit})
         -- Judged again by the row as it is once it is locked: another worker may have taken it.
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
    )
    select d.id, d.event_id as "eventId", d.endpoint_id as "endpointId",
           d.stream_key as "streamKey", endpoint.url, event.body, event.traceparent, d.attempt,
           d.lease_token as "leaseToken", d.parked_at is not null as "isParked",
           endpoint.is_probing as "isProbe", endpoint.is_slow as "isSlow"
      from claimed d
      join endpoint on endpoint.id = d.endpoint_id
      join webhook_events event on event.id = d.event_id
     order by d.id
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
 * Writes down one attempt and what follows; whoever waited behind a delivery that is out of the way
 * now is due. False when the lease was lost meanwhile.
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

/** The oldest delivery of the resource that nobody refused, where it waited for others. */
async function makeNextDue(
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

/** Makes due what nobody will call: the first of its resource, when two were recorded at once. */
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

export interface Health {
  failures: number
  failedEventId: string | null
  /** Different events that failed in a row. */
  failedEvents: number
  isOpen: boolean
}

/** Locks the endpoint's row; its failures are counted one after the other. */
export async function lockHealth(tx: Tx, endpointId: string): Promise<Health> {
  const [row] = await tx<Health[]>`
    select consecutive_failures as failures, failed_event_id as "failedEventId",
           failed_events as "failedEvents", next_probe_at is not null as "isOpen"
      from webhook_endpoints
     where id = ${endpointId}
       for no key update
  `
  if (row === undefined) throw new Error(`endpoint ${endpointId} is not there`)
  return row
}

export interface Failing extends Omit<Health, 'isOpen'> {
  endpointId: string
  /** Null while the breaker is closed. */
  nextProbeAt: Date | null
  isSlow: boolean
}

/** Half as many deliveries side by side as before. */
export async function markEndpointFailing(tx: Tx, failing: Failing): Promise<void> {
  await tx`
    update webhook_endpoints
       set consecutive_failures = ${failing.failures}, failed_event_id = ${failing.failedEventId},
           failed_events = ${failing.failedEvents}, next_probe_at = ${failing.nextProbeAt},
           parallel = greatest(parallel / 2, ${PARALLEL_MIN}), is_slow = ${failing.isSlow},
           updated_at = clock_timestamp()
     where id = ${failing.endpointId}
  `
}

export interface Answering {
  endpointId: string
  isSlow: boolean
  /** How many more deliveries may be on their way side by side; undefined: as few as at first. */
  moreParallel: number | undefined
}

/**
 * The endpoint answers: its breaker closes, and what waited for that is due at once. Answers whether the
 * breaker was open.
 */
export async function markEndpointAnswering(tx: Tx, answering: Answering): Promise<boolean> {
  const { endpointId, isSlow, moreParallel } = answering
  const [before] = await tx<{ wasFailing: boolean; wasOpen: boolean }[]>`
    with before as (
      select id, consecutive_failures > 0 as was_failing, next_probe_at is not null as was_open,
             case when ${moreParallel ?? null}::int is null then ${PARALLEL_MIN}
                  else least(parallel + ${moreParallel ?? 0}, ${PARALLEL_MAX}) end as parallel
        from webhook_endpoints
       where id = ${endpointId}
    )
    update webhook_endpoints e
       set consecutive_failures = 0, next_probe_at = null, failed_event_id = null,
           failed_events = 0, parallel = before.parallel, is_slow = ${isSlow},
           updated_at = clock_timestamp()
      from before
     where e.id = before.id
       and (before.was_failing or before.was_open or e.parallel <> before.parallel
            or e.is_slow <> ${isSlow})
    returning before.was_failing as "wasFailing", before.was_open as "wasOpen"
  `
  if (before?.wasFailing === true || before?.wasOpen === true) await makeAllDue(tx, endpointId)
  return before?.wasOpen === true
}

/** Whatever waits for a later attempt. */
async function makeAllDue(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update webhook_deliveries
       set due_at = clock_timestamp()
     where endpoint_id = ${endpointId} and state = 'pending' and lease_token is null
       and due_at > clock_timestamp()
  `
}

export async function markEndpointGone(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update webhook_endpoints set state = 'gone', updated_at = clock_timestamp() where id = ${endpointId}
  `
}

export interface ListedDelivery {
  id: bigint
  eventId: string
  type: string
  state: string
  attempt: number
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  /** Null: it waits for an older one of its resource. */
  dueAt: Date | null
  isParked: boolean
}

export async function listDeliveries(
  query: Query,
  { tenantId, limit }: { tenantId: string; limit: number },
): Promise<ListedDelivery[]> {
  return query<ListedDelivery[]>`
    select d.id, d.event_id as "eventId", e.type, d.state, d.attempts_made as "attempt",
           d.last_status as "lastStatus", d.last_error as "lastError", d.created_at as "createdAt",
           d.due_at as "dueAt", d.parked_at is not null as "isParked"
      from webhook_deliveries d
      join webhook_events e on e.id = d.event_id
     where e.tenant_id = ${tenantId}
     order by d.id desc
     limit ${limit}
  `
}

export interface Redelivery {
  tenantId: string
  eventId: string | undefined
  type: string | undefined
  since: Date | undefined
  until: Date | undefined
}

function chosenEvents(query: Query, { tenantId, eventId, type, since, until }: Redelivery) {
  return query`
    e.tenant_id = ${tenantId}
    and (${eventId ?? null}::text is null or e.id = ${eventId ?? null})
    and (${type ?? null}::text is null or e.type = ${type ?? null})
    and (${since ?? null}::timestamptz is null or e.occurred_at >= ${since ?? null})
    and (${until ?? null}::timestamptz is null or e.occurred_at <= ${until ?? null})
  `
}

export async function countEvents(query: Query, wanted: Redelivery): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from webhook_events e where ${chosenEvents(query, wanted)}
  `
  return row?.count ?? 0
}

export interface RedeliveredPage {
  count: number
  /** Of the last event; null after the last page. */
  lastSeq: bigint | null
}

/**
 * Makes deliveries of these events due again, also of events recorded before there was an endpoint:
 * a page of them, in the order in which they happened. What is on its way is left alone. Within a
 * resource they wait for each other as they did the first time.
 */
export async function redeliverPage(
  tx: Tx,
  wanted: Redelivery,
  { after, limit }: { after: bigint; limit: number },
): Promise<RedeliveredPage> {
  const rows = await tx<{ seq: bigint; endpointId: string; streamKey: string }[]>`
    with page as (
      select e.id, e.seq, e.stream_key, endpoint.id as endpoint_id
        from webhook_events e
        join webhook_endpoints endpoint on endpoint.tenant_id = e.tenant_id
       where ${chosenEvents(tx, wanted)} and e.seq > ${String(after)}::bigint
       order by e.seq
       limit ${limit}
    ),
    delivery as (
      insert into webhook_deliveries (event_id, endpoint_id, stream_key, due_at)
      select id, endpoint_id, stream_key, null from page order by seq
      on conflict (event_id, endpoint_id) do update
         set state = 'pending', attempt = 0, due_at = null, parked_at = null, finished_at = null
       where webhook_deliveries.lease_token is null
    )
    select seq, endpoint_id as "endpointId", stream_key as "streamKey" from page order by seq
  `
  const endpointId = rows[0]?.endpointId
  if (endpointId === undefined) return { count: 0, lastSeq: null }
  await putInOrder(tx, { endpointId, streamKeys: [...new Set(rows.map((row) => row.streamKey))] })
  await tx`select pg_notify('webhook_deliveries', '')`
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { count: rows.length, lastSeq: last === undefined ? null : BigInt(last.seq) }
}

/** The first delivery of each of these resources is due, and the others wait for it. */
async function putInOrder(
  tx: Tx,
  { endpointId, streamKeys }: { endpointId: string; streamKeys: readonly string[] },
): Promise<void> {
  await tx`
    update webhook_deliveries d
       set due_at = case when d.id = first.id then clock_timestamp() end
      from (select distinct on (stream_key) stream_key, id
              from webhook_deliveries
             where endpoint_id = ${endpointId} and stream_key = any(${[...streamKeys]})
               and state = 'pending' and parked_at is null
             order by stream_key, id) first
     where d.endpoint_id = ${endpointId} and d.stream_key = first.stream_key
       and d.state = 'pending' and d.parked_at is null and d.lease_token is null
  `
}

/** Ends a delivery without another attempt; false where none is pending. */
export async function cancelDelivery(
  tx: Tx,
  { endpointId, eventId }: { endpointId: string; eventId: string },
): Promise<boolean> {
  const [cancelled] = await tx<{ streamKey: string }[]>`
    update webhook_deliveries
       set state = 'cancelled', lease_token = null, finished_at = clock_timestamp()
     where endpoint_id = ${endpointId} and event_id = ${eventId} and state = 'pending'
    returning stream_key as "streamKey"
  `
  if (cancelled === undefined) return false
  await makeNextDue(tx, { endpointId, ...cancelled })
  await tx`select pg_notify('webhook_deliveries', '')`
  return true
}

/** Sends on, beginning at once, whatever the breaker says; it is closed, and knows of no failure. */
export async function openAgain(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update webhook_endpoints set state = 'active', ${closedBreaker(tx)} where id = ${endpointId}
  `
  await makeAllDue(tx, endpointId)
  await tx`select pg_notify('webhook_deliveries', '')`
}

/** What is recorded from now on waits. */
export async function pauseEndpoint(query: Query, endpointId: string): Promise<void> {
  await query`
    update webhook_endpoints set state = 'paused', updated_at = clock_timestamp()
     where id = ${endpointId}
  `
}

/** Nothing is sent there any more, and nothing waits for it. */
export async function removeEndpoint(tx: Tx, endpointId: string): Promise<number> {
  await tx`
    update webhook_endpoints set state = 'disabled', updated_at = clock_timestamp()
     where id = ${endpointId}
  `
  const { count } = await tx`
    update webhook_deliveries
       set state = 'cancelled', lease_token = null, finished_at = clock_timestamp()
     where endpoint_id = ${endpointId} and state = 'pending'
  `
  return count
}

/** An open breaker probes now, and with this event among the others. */
export async function probeNow(
  tx: Tx,
  { endpointId, eventId }: { endpointId: string; eventId: string },
): Promise<void> {
  await tx`
    update webhook_endpoints set next_probe_at = clock_timestamp()
     where id = ${endpointId} and next_probe_at is not null
  `
  await tx`
    update webhook_deliveries set due_at = clock_timestamp()
     where endpoint_id = ${endpointId} and event_id = ${eventId} and state = 'pending'
       and lease_token is null and due_at is not null
  `
  await tx`select pg_notify('webhook_deliveries', '')`
}

export interface MadeAttempt {
  eventId: string
  status: number | null
  errorClass: string | null
  durationMs: number
}

/** The first attempt that was begun since then, of one event or of any. */
export async function firstAttemptSince(
  query: Query,
  { endpointId, eventId, since }: { endpointId: string; eventId?: string; since: Date },
): Promise<MadeAttempt | undefined> {
  const [row] = await query<MadeAttempt[]>`
    select d.event_id as "eventId", a.status, a.error_class as "errorClass",
           a.duration_ms as "durationMs"
      from webhook_attempts a
      join webhook_deliveries d on d.id = a.delivery_id
     where d.endpoint_id = ${endpointId}
       and (${eventId ?? null}::text is null or d.event_id = ${eventId ?? null})
       and a.started_at >= ${since}
     order by a.started_at
     limit 1
  `
  return row
}

export async function countPending(query: Query, endpointId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries
     where endpoint_id = ${endpointId} and state = 'pending'
  `
  return row?.count ?? 0
}

const KEPT_DAYS = 30

/** Attempts, and finished events with their deliveries, after thirty days. */
export async function deleteOldWebhooks(query: Query, limit: number): Promise<void> {
  await query`
    delete from webhook_events
     where id in (select e.id from webhook_events e
                   where e.created_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})
                     and not exists (select 1 from webhook_deliveries d
                                      where d.event_id = e.id and d.state = 'pending')
                   order by e.created_at
                   limit ${limit})
  `
}
