import type { Query, Tx } from '../db/db.ts'
import type { SealedSecret } from '../lib/reseal.ts'
import { LONGEST_PAUSES_SEC } from './schedule.ts'

export interface Endpoint {
  id: string
  tenantId: string
  url: string
  state: 'active' | 'paused' | 'gone' | 'disabled'
  consecutiveFailures: number
  nextProbeAt: Date | null
  /** The purpose of the endpoint; null if nobody described it. */
  description: string | null
  /** Types that are sent there; null for all. */
  eventTypes: readonly string[] | null
  createdAt: Date
}

function endpointColumns(query: Query) {
  return query`
    id, tenant_id as "tenantId", url, state, consecutive_failures as "consecutiveFailures",
    next_probe_at as "nextProbeAt", description, event_types as "eventTypes",
    created_at as "createdAt"
  `
}

/** The tenant's endpoints, oldest first, including removed ones. */
export async function listEndpoints(query: Query, tenantId: string): Promise<Endpoint[]> {
  return query<Endpoint[]>`
    select ${endpointColumns(query)} from webhook_endpoints where tenant_id = ${tenantId}
     order by created_at, id
  `
}

/** Keeps the tenant from getting another endpoint until the transaction ends. */
export async function lockEndpointsOf(tx: Tx, tenantId: string): Promise<Endpoint[]> {
  await tx`select pg_advisory_xact_lock(hashtext('webhook_endpoints'), hashtext(${tenantId}))`
  return listEndpoints(tx, tenantId)
}

/**
 * Locks the endpoint's row; undefined if it was removed. Every change of an endpoint begins here, so that changes run one after
 * another.
 */
export async function lockEndpoint(tx: Tx, id: string): Promise<Endpoint | undefined> {
  const [row] = await tx<Endpoint[]>`
    select ${endpointColumns(tx)} from webhook_endpoints
     where id = ${id} and state <> 'disabled'
       for no key update
  `
  return row
}

export interface NewEndpoint extends Pick<Endpoint, 'id' | 'tenantId' | 'url'> {
  description?: string | null
  eventTypes?: readonly string[] | null
}

/** Inserts an endpoint with a closed breaker. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<void> {
  const { id, tenantId, url, description = null, eventTypes = null } = endpoint
  const types = eventTypes === null ? null : [...eventTypes]
  await tx`
    insert into webhook_endpoints (id, tenant_id, url, description, event_types)
    values (${id}, ${tenantId}, ${url}, ${description}, ${types}::text[])
  `
}

/** Sets another address and closes the breaker. A removed endpoint is restored. */
export async function moveEndpoint(
  tx: Tx,
  { id, url }: { id: string; url: string },
): Promise<void> {
  await tx`
    update webhook_endpoints set url = ${url}, state = 'active', ${closedBreaker(tx)} where id = ${id}
  `
}

export async function updateEndpoint(
  tx: Tx,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'description' | 'eventTypes'>,
): Promise<void> {
  const types = endpoint.eventTypes === null ? null : [...endpoint.eventTypes]
  await tx`
    update webhook_endpoints
       set url = ${endpoint.url}, description = ${endpoint.description},
           event_types = ${types}::text[], updated_at = clock_timestamp()
     where id = ${endpoint.id}
  `
}

/** Concurrent deliveries to an endpoint: at first, and at most. */
const PARALLEL_MIN = 4
export const PARALLEL_MAX = 64

/** A closed breaker without failures, and the initial pace. */
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

/** The older secrets sign until then; null ends them immediately. */
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

/** The valid secrets, newest first. */
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

/** The sealed secrets of all endpoints, including those that no longer sign. */
export async function listSealedSecrets(query: Query): Promise<SealedSecret[]> {
  return query<SealedSecret[]>`
    select id::text, secret_encrypted as sealed from webhook_secrets order by id
  `
}

/** Does nothing if the secret is gone meanwhile. */
export async function replaceSealedSecret(
  query: Query,
  { id, sealed }: SealedSecret,
  by: Buffer,
): Promise<void> {
  await query`
    update webhook_secrets set secret_encrypted = ${by}
     where id = ${id} and secret_encrypted = ${Buffer.from(sealed)}
  `
}

export interface Health {
  failures: number
  failedEventId: string | null
  /** Consecutive failures of different events. */
  failedEvents: number
  /** Null while the breaker is closed. */
  nextProbeAt: Date | null
}

/** An endpoint at the address that an attempt was sent to. The result says nothing about another address. */
export interface AskedAddress {
  endpointId: string
  url: string
}

/**
 * Locks the endpoint's row, so that failures are counted one after another. Undefined if the endpoint has moved, or was removed.
 */
export async function lockHealth(
  tx: Tx,
  { endpointId, url }: AskedAddress,
): Promise<Health | undefined> {
  const [row] = await tx<Health[]>`
    select consecutive_failures as failures, failed_event_id as "failedEventId",
           failed_events as "failedEvents", next_probe_at as "nextProbeAt"
      from webhook_endpoints
     where id = ${endpointId} and url = ${url} and state <> 'disabled'
       for no key update
  `
  return row
}

export interface FailingEndpoint extends Health {
  endpointId: string
  isSlow: boolean
}

/** Halves the number of concurrent deliveries. */
export async function markEndpointFailing(tx: Tx, failing: FailingEndpoint): Promise<void> {
  await tx`
    update webhook_endpoints
       set consecutive_failures = ${failing.failures}, failed_event_id = ${failing.failedEventId},
           failed_events = ${failing.failedEvents}, next_probe_at = ${failing.nextProbeAt},
           parallel = greatest(parallel / 2, ${PARALLEL_MIN}), is_slow = ${failing.isSlow},
           updated_at = clock_timestamp()
     where id = ${failing.endpointId}
  `
}

export interface EndpointCapacity extends AskedAddress {
  isSlow: boolean
  /** How many more deliveries may run concurrently; undefined resets it to the initial number. */
  moreParallel: number | undefined
}

/**
 * Records that the endpoint answers: its breaker closes, and deliveries that failed during the outage are due immediately. Returns
 * true if the breaker was open. While it is closed, each event keeps its own schedule, whatever happens to others.
 */
export async function markEndpointAnswering(tx: Tx, answering: EndpointCapacity): Promise<boolean> {
  const { endpointId, url, isSlow, moreParallel } = answering
  const [before] = await tx<{ wasOpen: boolean }[]>`
    with before as (
      select id, consecutive_failures > 0 as was_failing, next_probe_at is not null as was_open,
             case when ${moreParallel ?? null}::int is null then ${PARALLEL_MIN}
                  else least(parallel + ${moreParallel ?? 0}, ${PARALLEL_MAX}) end as parallel
        from webhook_endpoints
       where id = ${endpointId} and url = ${url}
    )
    update webhook_endpoints e
       set consecutive_failures = 0, next_probe_at = null, failed_event_id = null,
           failed_events = 0, parallel = before.parallel, is_slow = ${isSlow},
           updated_at = clock_timestamp()
      from before
     where e.id = before.id and e.url = ${url}
       and (before.was_failing or before.was_open or e.parallel <> before.parallel
            or e.is_slow <> ${isSlow})
    returning before.was_open as "wasOpen"
  `
  if (before?.wasOpen !== true) return false
  await makeFailedDue(tx, endpointId)
  return true
}

/**
 * Makes deliveries due that wait because the endpoint failed. Refused ones keep waiting, because a refusal says nothing about the
 * endpoint, and so do those after a 503 that asked for a longer pause than the schedule has.
 */
async function makeFailedDue(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update webhook_deliveries
       set due_at = clock_timestamp()
     where endpoint_id = ${endpointId} and state = 'pending' and lease_token is null
       and due_at > clock_timestamp()
       and (last_status is null or last_status >= 500)
       and (last_status is distinct from 503
            or due_at <= clock_timestamp()
                         + interval '1 second' * (${[...LONGEST_PAUSES_SEC]}::float8[])[attempt])
  `
}

/** Makes some of the deliveries that wait for a later attempt due immediately; returns how many. */
export async function makeSomeDue(
  query: Query,
  { endpointId, limit }: { endpointId: string; limit: number },
): Promise<number> {
  const { count } = await query`
    update webhook_deliveries
       set due_at = statement_timestamp()
     where state = 'pending' and lease_token is null
       and id = any(array(
             select id from webhook_deliveries
              where endpoint_id = ${endpointId} and state = 'pending' and lease_token is null
                and due_at > statement_timestamp()
              limit ${limit}))
  `
  await query`select pg_notify('webhook_deliveries', '')`
  return count
}

/** False if the endpoint has moved, or was removed. */
export async function markEndpointGone(
  tx: Tx,
  { endpointId, url }: AskedAddress,
): Promise<boolean> {
  const { count } = await tx`
    update webhook_endpoints set state = 'gone', updated_at = clock_timestamp()
     where id = ${endpointId} and url = ${url} and state <> 'disabled'
  `
  return count === 1
}

/** Resumes sending immediately: the breaker is closed, and its failures are forgotten. The endpoint must be locked. */
export async function openAgain(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update webhook_endpoints set state = 'active', ${closedBreaker(tx)} where id = ${endpointId}
  `
}

/** True unless the endpoint is paused, gone or removed. */
export async function isEndpointActive(query: Query, endpointId: string): Promise<boolean> {
  const [row] = await query`
    select 1 from webhook_endpoints where id = ${endpointId} and state = 'active'
  `
  return row !== undefined
}

/** Pauses the endpoint: events recorded from now on wait. The endpoint must be locked. */
export async function pauseEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx`
    update webhook_endpoints set state = 'paused', updated_at = clock_timestamp()
     where id = ${endpointId}
  `
}
