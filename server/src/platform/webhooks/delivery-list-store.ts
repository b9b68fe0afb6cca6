import type { Query } from '../db/db.ts'

export interface ListedDelivery {
  id: bigint
  endpointId: string
  eventId: string
  type: string
  state: 'pending' | 'succeeded' | 'failed' | 'cancelled'
  /** Attempts that were made. */
  attempt: number
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  /** Null: it waits for an older one of its resource. */
  dueAt: Date | null
  finishedAt: Date | null
  /** The receiver refuses it; later ones of its resource pass it. */
  isParked: boolean
}

export interface DeliveryList {
  tenantId: string
  endpointId?: string | undefined
  state?: string | undefined
  type?: string | undefined
  /** Id of the delivery before which the list begins; the newest, when absent. */
  before?: bigint | undefined
  limit: number
}

function deliveryColumns(query: Query) {
  return query`
    d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type, d.state,
    d.attempts_made as "attempt", d.last_status as "lastStatus", d.last_error as "lastError",
    d.created_at as "createdAt", d.due_at as "dueAt", d.finished_at as "finishedAt",
    d.parked_at is not null as "isParked"
  `
}

/** Newest first. Each endpoint is read by its index as far as the page may reach. */
export async function listDeliveries(
  query: Query,
  { tenantId, endpointId, state, type, before, limit }: DeliveryList,
): Promise<ListedDelivery[]> {
  const start = before === undefined ? null : String(before)
  return query<ListedDelivery[]>`
    select d.*
      from webhook_endpoints endpoint
     cross join lateral (
       select ${deliveryColumns(query)}
         from webhook_deliveries d
         join webhook_events e on e.id = d.event_id
        where d.endpoint_id = endpoint.id
          and (${start}::bigint is null or d.id < ${start}::bigint)
          and (${state ?? null}::text is null or d.state = ${state ?? null})
          and (${type ?? null}::text is null or e.type = ${type ?? null})
        order by d.id desc
        limit ${limit}
     ) d
     where endpoint.tenant_id = ${tenantId}
       and (${endpointId ?? null}::uuid is null or endpoint.id = ${endpointId ?? null}::uuid)
     order by d.id desc
     limit ${limit}
  `
}

export interface DeliveryInFull extends ListedDelivery {
  /** The JSON that is sent. */
  body: string
}

export async function findDelivery(
  query: Query,
  { tenantId, deliveryId }: { tenantId: string; deliveryId: bigint },
): Promise<DeliveryInFull | undefined> {
  const [row] = await query<DeliveryInFull[]>`
    select ${deliveryColumns(query)}, e.body
      from webhook_deliveries d
      join webhook_events e on e.id = d.event_id
     where d.id = ${String(deliveryId)}::bigint and e.tenant_id = ${tenantId}
  `
  return row
}

export interface ListedAttempt {
  n: number
  kind: 'scheduled' | 'probe' | 'manual'
  startedAt: Date
  durationMs: number
  status: number | null
  errorClass: string | null
}

/** Oldest first; of many, the newest. */
export async function listAttempts(
  query: Query,
  { deliveryId, limit }: { deliveryId: bigint; limit: number },
): Promise<ListedAttempt[]> {
  return query<ListedAttempt[]>`
    select * from (
      select n, kind, started_at as "startedAt", duration_ms as "durationMs", status,
             error_class as "errorClass"
        from webhook_attempts
       where delivery_id = ${String(deliveryId)}::bigint
       order by n desc
       limit ${limit}
    ) newest
     order by n
  `
}
