import type { TenantLimits } from '../config/tenant-limits.ts'
import type { Query, Tx } from '../db/db.ts'

function columns(query: Query) {
  return query`
    requests_per_min as "requestsPerMin", rooms_max as "roomsMax",
    stored_bytes_max::float8 as "storedBytesMax"
  `
}

/** Undefined if there is no such tenant. */
export async function findTenantLimits(
  query: Query,
  tenantId: string,
): Promise<TenantLimits | undefined> {
  const [row] = await query<TenantLimits[]>`
    select ${columns(query)} from tenants where id = ${tenantId}
  `
  return row
}

/** Undefined if there is no such tenant. The row stays locked until the transaction ends. */
export async function lockTenantLimits(
  tx: Tx,
  tenantId: string,
): Promise<TenantLimits | undefined> {
  const [row] = await tx<TenantLimits[]>`
    select ${columns(tx)}
      from tenants
     where id = ${tenantId}
       for no key update
  `
  return row
}

export async function updateTenantLimits(
  query: Query,
  { tenantId, limits }: { tenantId: string; limits: TenantLimits },
): Promise<void> {
  await query`
    update tenants
       set requests_per_min = ${limits.requestsPerMin},
           rooms_max        = ${limits.roomsMax},
           stored_bytes_max = ${limits.storedBytesMax}
     where id = ${tenantId}
  `
}

export interface ReservedRequests {
  /** The granted part of the requested number. */
  granted: number
  /** Requests of this window that no process has reserved. */
  unreserved: number
  /** Milliseconds until the window ends: 1 to 60,000. */
  resetMs: number
}

/**
 * Reserves requests in the tenant's window of one minute. When a window has ended, the next request begins another. It also does if
 * a window began later than now: the clock was ahead then, and the tenant would be refused until that time.
 */
export async function reserveRequests(
  query: Query,
  { tenantId, limit, wanted }: { tenantId: string; limit: number; wanted: number },
): Promise<ReservedRequests> {
  const isOver = query`
    abs(extract(epoch from excluded.started_at - w.started_at)) >= 60
  `
  const [row] = await query<{ taken: number; resetMs: number }[]>`
    insert into request_windows as w (tenant_id, started_at, taken)
    values (${tenantId}, clock_timestamp(), ${wanted})
    on conflict (tenant_id) do update
       set started_at = case when ${isOver} then excluded.started_at else w.started_at end,
           taken      = case when ${isOver} then excluded.taken
                             else least(w.taken, ${limit}) + excluded.taken end
    returning taken,
              least(60000, greatest(1, extract(epoch from
                started_at + interval '1 minute' - clock_timestamp()) * 1000))::float8 as "resetMs"
  `
  if (row === undefined) throw new Error('the database returned no window')
  const { taken, resetMs } = row
  const granted = Math.min(wanted, Math.max(0, limit - (taken - wanted)))
  return { granted, unreserved: Math.max(0, limit - taken), resetMs }
}
