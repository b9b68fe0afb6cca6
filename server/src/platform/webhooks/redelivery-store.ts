import type { Query, Tx } from '../db/db.ts'
import { makeNextDue } from './delivery-store.ts'
import type { Endpoint } from './endpoint-store.ts'

export interface Redelivery {
  tenantId: string
  eventId: string | undefined
  type: string | undefined
  since: Date | undefined
  until: Date | undefined
}

/** The endpoint that gets the events again, and the types that it takes. Without a type in the order, only these are sent. */
type Receiver = Pick<Endpoint, 'id' | 'eventTypes'>

function chosenEvents(
  query: Query,
  { tenantId, eventId, type, since, until }: Redelivery,
  { eventTypes }: Receiver,
) {
  const isNamed = eventId !== undefined || type !== undefined
  // A `webhook.test` event belongs to one endpoint. Another one never got it.
  return query`
    e.tenant_id = ${tenantId} and not e.is_feed_only
    and (${isNamed} or e.type <> 'webhook.test')
    and (${isNamed || eventTypes === null} or e.type = any(${[...(eventTypes ?? [])]}))
    and (${eventId ?? null}::text is null or e.id = ${eventId ?? null})
    and (${type ?? null}::text is null or e.type = ${type ?? null})
    and (${since ?? null}::timestamptz is null or e.occurred_at >= ${since ?? null})
    and (${until ?? null}::timestamptz is null or e.occurred_at <= ${until ?? null})
  `
}

export async function countEvents(
  query: Query,
  wanted: Redelivery,
  receiver: Receiver,
): Promise<{ count: number; lastSeq: bigint }> {
  const [row] = await query<{ count: number; lastSeq: bigint }[]>`
    select count(*)::int as count, coalesce(max(seq), 0) as "lastSeq"
      from webhook_events e
     where ${chosenEvents(query, wanted, receiver)}
  `
  return row ?? { count: 0, lastSeq: 0n }
}

export interface RedeliveredPage {
  count: number
  /** Number of the last event in the page; null after the last page. */
  lastSeq: bigint | null
}

interface PageOptions {
  receiver: Receiver
  /** Events after this one, up to that one. */
  after: bigint
  last: bigint
  limit: number
}

/**
 * Makes deliveries of these events due again, including events recorded before there was an endpoint: one page of them, in the
 * order in which they happened. Deliveries under way are left alone. Within a resource they wait for each other as they did the
 * first time. The cost grows with what is pending for the endpoint.
 */
export async function redeliverPage(
  tx: Tx,
  wanted: Redelivery,
  { receiver, after, last: until, limit }: PageOptions,
): Promise<RedeliveredPage> {
  const { id: endpointId } = receiver
  const rows = await tx<{ seq: bigint; streamKey: string }[]>`
    with page as (
      select e.id, e.seq, e.stream_key
        from webhook_events e
       where ${chosenEvents(tx, wanted, receiver)} and e.seq > ${String(after)}::bigint
         and e.seq <= ${String(until)}::bigint
       order by e.seq
       limit ${limit}
    ),
    delivery as (
      insert into webhook_deliveries (event_id, endpoint_id, stream_key, due_at)
      select id, ${endpointId}::uuid, stream_key, null from page order by seq
      on conflict (event_id, endpoint_id) do update
         set state = 'pending', attempt = 0, due_at = null, parked_at = null, finished_at = null
       where webhook_deliveries.lease_token is null
    )
    select seq, stream_key as "streamKey" from page order by seq
  `
  if (rows.length === 0) return { count: 0, lastSeq: null }
  await putInOrder(tx, { endpointId, streamKeys: [...new Set(rows.map((row) => row.streamKey))] })
  await tx`select pg_notify('webhook_deliveries', '')`
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { count: rows.length, lastSeq: last === undefined ? null : last.seq }
}

/** Makes the first delivery of each of these resources due. The others wait for it. */
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
       -- Most are as they should be. Writing them all again for each page would hold up those who send.
       and (d.id = first.id) = (d.due_at is null)
  `
}

/** Ends a delivery without another attempt; false if none is pending. */
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

/** Lets an open breaker probe now, with this event among the others. */
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

/** The first attempt that began since then, of one event or of any. */
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

/** True if at least this many deliveries wait for the endpoint, without those that later ones pass. */
export async function isBusy(
  query: Query,
  { endpointId, from }: { endpointId: string; from: number },
): Promise<boolean> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count
      from (select 1 from webhook_deliveries
             where endpoint_id = ${endpointId} and state = 'pending' and parked_at is null
             limit ${from}) waiting
  `
  return (row?.count ?? 0) >= from
}

export async function countPending(query: Query, endpointId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count from webhook_deliveries
     where endpoint_id = ${endpointId} and state = 'pending'
  `
  return row?.count ?? 0
}
