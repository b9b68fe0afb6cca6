import type { Query } from '../db/db.ts'

/** Nothing is sent there any more, and nothing is recorded for it. */
export async function disableEndpoint(query: Query, endpointId: string): Promise<void> {
  await query`
    update webhook_endpoints set state = 'disabled', updated_at = clock_timestamp()
     where id = ${endpointId}
  `
}

interface CancelOptions {
  /** Of this one; of all removed endpoints without it. */
  endpointId?: string
  limit: number
}

/**
 * Cancels some of what still waits for removed endpoints. Each half is read by an index of its own: what is parked
 * is due at some time.
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
