import type { Query } from '../db/db.ts'
import { LEASE_SEC } from './delivery-store.ts'

interface Pauses {
  /** The longest after the first, second, ... attempt. */
  pausesSec: readonly number[]
  /** The longest that a receiver may ask for with 429 or 503. */
  askedSec: number
  slackSec: number
}

/** Makes deliveries due that wait for longer than their pause; returns how many. One under way keeps a whole lease. */
export async function makeOverplannedDue(
  query: Query,
  { pausesSec, askedSec, slackSec }: Pauses,
): Promise<number> {
  const { count } = await query`
    update webhook_deliveries
       set due_at = clock_timestamp()
                    + make_interval(secs => case when lease_token is null then 0 else ${LEASE_SEC} end)
     where state = 'pending'
       and due_at > clock_timestamp() + make_interval(secs => ${slackSec})
       and due_at > clock_timestamp() + make_interval(secs => ${slackSec} +
             case when lease_token is not null then ${LEASE_SEC}
                  when attempt = 0 then 0
                  when last_status in (429, 503) then ${askedSec}
                  else (${[...pausesSec]}::float8[])[attempt] end)
  `
  return count
}

/** Makes probes of endpoints due that are planned for later than this. */
export async function makeProbesDue(query: Query, maxSec: number): Promise<void> {
  await query`
    update webhook_endpoints
       set next_probe_at = clock_timestamp()
     where next_probe_at > clock_timestamp() + make_interval(secs => ${maxSec})
  `
}
