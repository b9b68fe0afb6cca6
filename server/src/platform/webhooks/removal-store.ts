import type { Query } from '../db/db.ts'

/** Marks the endpoint as removed: nothing is sent to it or recorded for it any more. */
export async function disableEndpoint(query: Query, endpointId: string): Promise<void> {
  await query`
    update webhook_endpoints set state = 'disabled', updated_at = clock_timestamp()
     where id = ${endpointId}
  `
}

interface CancelOptions {
  /** Cancels only this endpoint's deliveries; without it, those of all removed endpoints. */
  endpointId?: string
  limit: number
}

/**
 * Cancels some deliveries that still wait for removed endpoints. Each half of the query has its own index, for parked
 * deliveries and for the others.
 */
export async function cancelForRemoved(
  query: Query,
  { endpointId, limit }: CancelOptions,
): Promise<number> {
  const { count } = await query`
    update webhook_deliveries
       set state = 'cancelled', lease_token = null, finished_at = clock_timestamp()
     where state = 'pending'
       and id = any(array(
             select waiting.id
               from webhook_endpoints e
              cross join lateral (
                (select d.id from webhook_deliveries d
                  where d.endpoint_id = e.id and d.state = 'pending' and d.parked_at is null
                  limit ${limit})
                union all
                (select d.id from webhook_deliveries d
                  where d.endpoint_id = e.id and d.state = 'pending' and d.parked_at is not null
                    and d.due_at is not null
                  limit ${limit})
              ) waiting
              where e.state = 'disabled'
                and (${endpointId ?? null}::uuid is null or e.id = ${endpointId ?? null}::uuid)
              limit ${limit}))
  `
  return count
}
