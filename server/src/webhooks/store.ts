import type { Query, Tx } from '../db/db.ts'
import { ORDER_KEPT_SEC } from './schedule.ts'

export interface Endpoint {
  id: string
  tenantId: string
  url: string
  state: 'active' | 'gone' | 'disabled'
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
       set url = excluded.url, state = 'active', consecutive_failures = 0, next_probe_at = null,
           updated_at = clock_timestamp()
    returning id
  `
  return row?.id ?? endpoint.id
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

/** The event and its delivery to the tenant's endpoint; nothing when it was recorded before. */
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
    insert into webhook_deliveries (event_id, endpoint_id, stream_key)
    select event.id, endpoint.id, event.stream_key
      from event
      join webhook_endpoints endpoint on endpoint.tenant_id = event.tenant_id
     where endpoint.state <> 'disabled'
  `
  await tx`select pg_notify('webhook_deliveries', '')`
}

export interface ClaimedDelivery {
  id: bigint
  eventId: string
  endpointId: string
  url: string
  body: string
  traceparent: string | null
  /** Attempts made before this one. */
  attempt: number
  leaseToken: string
  /** True when the breaker is open and this attempt only tries whether it may close. */
  isProbe: boolean
}

const LEASE_SEC = 30
const IN_FLIGHT_PER_ENDPOINT = 4

/**
 * Takes due deliveries. Within a resource the older one goes first while it is young; an endpoint
 * with an open breaker gives one delivery per probe. Endpoints are locked in the order of their
 * ids, so that two workers do not exceed an endpoint's share together.
 */
export async function claimDeliveries(query: Query, limit: number): Promise<ClaimedDelivery[]> {
  return query<ClaimedDelivery[]>`
    with endpoint as materialized (
      select e.id, e.url, e.next_probe_at is not null as is_probing,
             case when e.next_probe_at is null then ${IN_FLIGHT_PER_ENDPOINT} else 1 end
               - (select count(*) from webhook_deliveries f
                   where f.endpoint_id = e.id and f.state = 'pending'
                     and f.lease_until > clock_timestamp()) as free
        from webhook_endpoints e
       where e.state = 'active'
         and (e.next_probe_at is null or e.next_probe_at <= clock_timestamp())
         and exists (select 1 from webhook_deliveries d
                      where d.endpoint_id = e.id and d.state = 'pending')
       order by e.id
         for update of e skip locked
    ),
    chosen as (
      select d.id, endpoint.url, endpoint.is_probing
        from endpoint
       cross join lateral (
         select c.id
           from webhook_deliveries c
          where c.endpoint_id = endpoint.id
            and c.state = 'pending'
            and (c.due_at <= clock_timestamp() or endpoint.is_probing)
            and (c.lease_until is null or c.lease_until < clock_timestamp())
            and not exists (select 1 from webhook_deliveries older
                             where older.endpoint_id = c.endpoint_id
                               and older.stream_key = c.stream_key
                               and older.state = 'pending'
                               and older.id < c.id
                               and older.created_at
                                   > clock_timestamp() - make_interval(secs => ${ORDER_KEPT_SEC}))
          order by c.id
          limit greatest(endpoint.free, 0)
            for update skip locked
       ) d
       limit ${limit}
    )
    update webhook_deliveries d
       set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SEC}),
           lease_token = gen_random_uuid()
      from chosen, webhook_events event
     where d.id = chosen.id
       and event.id = d.event_id
    returning d.id, d.event_id as "eventId", d.endpoint_id as "endpointId", chosen.url, event.body,
              event.traceparent,
              d.attempt, d.lease_token as "leaseToken", chosen.is_probing as "isProbe"
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
  /** Attempts that count, this one included. */
  attempt: number
  dueAt: Date
}

/** Writes down one attempt and what follows. False when the lease was lost meanwhile. */
export async function finishDelivery(
  tx: Tx,
  delivery: ClaimedDelivery,
  { attempt, ending }: { attempt: Attempt; ending: Ending },
): Promise<boolean> {
  await tx`
    insert into webhook_attempts (delivery_id, n, kind, started_at, duration_ms, status, error_class)
    select ${delivery.id}, coalesce(max(n), 0) + 1, ${delivery.isProbe ? 'probe' : 'scheduled'},
           ${attempt.startedAt}, ${attempt.durationMs}, ${attempt.status}, ${attempt.errorClass}
      from webhook_attempts
     where delivery_id = ${delivery.id}
  `
  const { count } = await tx`
    update webhook_deliveries
       set state = ${ending.state}, attempt = ${ending.attempt}, due_at = ${ending.dueAt},
           lease_until = null, lease_token = null, last_status = ${attempt.status},
           last_error = ${attempt.errorClass},
           finished_at = case when ${ending.state} = 'pending' then null else clock_timestamp() end
     where id = ${delivery.id} and lease_token = ${delivery.leaseToken}
  `
  return count === 1
}

/** Locks the endpoint's row; its failures are counted one after the other. */
export async function lockFailures(tx: Tx, endpointId: string): Promise<number> {
  const [row] = await tx<{ failures: number }[]>`
    select consecutive_failures as failures from webhook_endpoints where id = ${endpointId} for update
  `
  return row?.failures ?? 0
}

export async function markEndpointFailing(
  tx: Tx,
  {
    endpointId,
    failures,
    nextProbeAt,
  }: { endpointId: string; failures: number; nextProbeAt: Date | null },
): Promise<void> {
  await tx`
    update webhook_endpoints
       set consecutive_failures = ${failures}, next_probe_at = ${nextProbeAt},
           updated_at = clock_timestamp()
     where id = ${endpointId}
  `
}

/** After a success: the breaker closes, and what waited behind it is due at once. */
export async function markEndpointWell(
  tx: Tx,
  { endpointId, wasOpen }: { endpointId: string; wasOpen: boolean },
): Promise<void> {
  await tx`
    update webhook_endpoints
       set consecutive_failures = 0, next_probe_at = null, updated_at = clock_timestamp()
     where id = ${endpointId} and (consecutive_failures > 0 or next_probe_at is not null)
  `
  if (!wasOpen) return
  await tx`
    update webhook_deliveries set due_at = clock_timestamp()
     where endpoint_id = ${endpointId} and state = 'pending' and due_at > clock_timestamp()
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
  dueAt: Date
}

export async function listDeliveries(
  query: Query,
  { tenantId, limit }: { tenantId: string; limit: number },
): Promise<ListedDelivery[]> {
  return query<ListedDelivery[]>`
    select d.id, d.event_id as "eventId", e.type, d.state, d.attempt, d.last_status as "lastStatus",
           d.last_error as "lastError", d.created_at as "createdAt", d.due_at as "dueAt"
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
  since: Date | undefined
  until: Date | undefined
}

/** Makes deliveries of these events due again, also of events recorded before there was an endpoint. */
export async function redeliver(tx: Tx, wanted: Redelivery): Promise<number> {
  const { count } = await tx`
    insert into webhook_deliveries (event_id, endpoint_id, stream_key)
    select e.id, endpoint.id, e.stream_key
      from webhook_events e
      join webhook_endpoints endpoint on endpoint.tenant_id = e.tenant_id
     where e.tenant_id = ${wanted.tenantId}
       and (${wanted.eventId ?? null}::text is null or e.id = ${wanted.eventId ?? null})
       and (${wanted.since ?? null}::timestamptz is null or e.occurred_at >= ${wanted.since ?? null})
       and (${wanted.until ?? null}::timestamptz is null or e.occurred_at <= ${wanted.until ?? null})
     order by e.seq
    on conflict (event_id, endpoint_id) do update
       set state = 'pending', attempt = 0, due_at = clock_timestamp(), finished_at = null
  `
  await tx`select pg_notify('webhook_deliveries', '')`
  return count
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
