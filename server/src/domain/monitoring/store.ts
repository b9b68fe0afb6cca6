import type { Query } from '../../platform/db/db.ts'
import { SIMULATED_EVENT } from '../../platform/sandbox/provider-news.ts'

/** Rows that one statement of a scrape reads, because the queue has no bound. */
const ROWS_MAX = 10_000

export interface DueJobs {
  kind: string
  due: number
  running: number
  oldestSec: number
}

/** Due jobs by kind, among the oldest 10,000. */
export async function listDueJobs(query: Query): Promise<DueJobs[]> {
  return query<DueJobs[]>`
    select kind,
           count(*) filter (where is_free)::int as due,
           count(*) filter (where not is_free)::int as running,
           coalesce(extract(epoch from clock_timestamp() - min(due_at) filter (where is_free)),
                    0)::float8 as "oldestSec"
      from (select kind, due_at,
                   coalesce(lease_until < statement_timestamp(), true) as is_free
              from jobs
             where state = 'due' and due_at <= statement_timestamp()
             order by due_at
             limit ${ROWS_MAX}) due
     group by kind
  `
}

interface KindCount {
  kind: string
  count: number
}

export async function countDiscardedJobs(query: Query): Promise<KindCount[]> {
  return query<KindCount[]>`
    select kind, count(*)::int as count
      from (select kind from jobs where state = 'discarded' limit ${ROWS_MAX}) discarded
     group by kind
  `
}

/** Jobs that run alone, because their process died repeatedly. */
export async function countIsolatedJobs(query: Query): Promise<KindCount[]> {
  return query<KindCount[]>`
    select kind, count(*)::int as count
      from (select kind from jobs where deaths >= 2 and state = 'due' limit ${ROWS_MAX}) isolated
     group by kind
  `
}

/** Seconds since these jobs last succeeded, or since they were first requested. */
export async function listRepeatingJobs(
  query: Query,
  kinds: readonly string[],
): Promise<{ kind: string; ageSec: number }[]> {
  return query<{ kind: string; ageSec: number }[]>`
    select kind,
           extract(epoch from clock_timestamp() - coalesce(succeeded_at, created_at))::float8
             as "ageSec"
      from jobs
     where kind = any(${[...kinds]}) and key = 'all'
  `
}

export interface PendingDeliveries {
  pending: number
  oldestSec: number
}

export async function countPendingDeliveries(query: Query): Promise<PendingDeliveries> {
  const [row] = await query<PendingDeliveries[]>`
    select count(*)::int as pending,
           coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8
             as "oldestSec"
      from (select created_at
              from webhook_deliveries
             where state = 'pending'
             order by id
             limit ${ROWS_MAX}) pending
  `
  return row ?? { pending: 0, oldestSec: 0 }
}

/** How long the longest waiting delivery has been due, among endpoints that are not paused or disabled. */
export async function findOverdueSec(query: Query): Promise<number> {
  const [row] = await query<{ overdueSec: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(d.due_at)), 0)::float8
             as "overdueSec"
      from webhook_endpoints e
     cross join lateral (select due_at
                           from webhook_deliveries
                          where endpoint_id = e.id and state = 'pending'
                            and due_at <= statement_timestamp()
                          order by due_at
                          limit 1) d
     where e.state = 'active' and e.next_probe_at is null
  `
  return row?.overdueSec ?? 0
}

export interface EndpointCount {
  state: 'active' | 'paused' | 'gone' | 'disabled'
  breaker: 'closed' | 'open' | 'probing'
  count: number
}

export async function countEndpoints(query: Query): Promise<EndpointCount[]> {
  return query<EndpointCount[]>`
    select state,
           case when next_probe_at is null then 'closed'
                when next_probe_at > statement_timestamp() then 'open'
                else 'probing' end as breaker,
           count(*)::int as count
      from webhook_endpoints
     group by 1, 2
  `
}

export interface RecordingCount {
  status: string
  count: number
}

/** Number of unfinished recordings by status. */
export async function countUnfinishedRecordings(query: Query): Promise<RecordingCount[]> {
  return query<RecordingCount[]>`
    select status, count(*)::int as count
      from recordings
     where status in ('started', 'paused', 'stopped', 'uploaded')
     group by status
  `
}

/** Number of tracks that recorders reported in the last ten seconds. */
export async function countRecordingLacks(query: Query): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count
      from recording_segments
     cross join lateral jsonb_array_elements(absences) absence
     where status = 'active'
       and absence ? 'track'
       and (absence ->> 'toMs')::float8 > extract(epoch from clock_timestamp()) * 1000 - 10000
  `
  return row?.count ?? 0
}

/** Number in the last 24 hours. A recording that a moderator stopped before it began does not count. */
export async function countFailedRecordings(query: Query): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count
      from recordings
     where status = 'failed' and updated_at > clock_timestamp() - interval '24 hours'
       and provider_archive_id is not null
  `
  return row?.count ?? 0
}

export interface MediaProbe {
  tookMs: number
  /** Name of the check; null if none failed. */
  failedCheck: string | null
  /** Probes in a row. */
  failures: number
}

/** The newest probe of the last `withinSec`. */
export async function findProbe(query: Query, withinSec: number): Promise<MediaProbe | undefined> {
  const [row] = await query<MediaProbe[]>`
    select took_ms as "tookMs", failed_check as "failedCheck", failures
      from media_probes
     where ended_at > clock_timestamp() - make_interval(secs => ${withinSec})
  `
  return row
}

export async function readDatabaseTime(query: Query): Promise<Date> {
  const [row] = await query<{ now: Date }[]>`select clock_timestamp() as now`
  if (row === undefined) throw new Error('the database did not return its time')
  return row.now
}

/** The newest secret of each kind that is encrypted at rest. Empty in an empty database. */
export async function listSealedSecrets(query: Query): Promise<Uint8Array[]> {
  const rows = await query<{ sealed: Uint8Array }[]>`
    (select private_jwk_encrypted as sealed from service_keys order by created_at desc limit 1)
    union all
    (select secret_encrypted from webhook_secrets order by created_at desc limit 1)
  `
  return rows.map(({ sealed }) => sealed)
}

/**
 * True if no notification has been received since a person entered, so none can have reported them. The newest of the
 * present participants counts, from half a minute after the entry and for a day. People and notifications of sandboxes do
 * not count, because LiveKit does not know them. Nor do notifications of an egress, which recorders send themselves.
 */
export async function areNotificationsMissing(query: Query): Promise<boolean> {
  const [row] = await query<{ areMissing: boolean }[]>`
    with newest as (
      select max(entered_at) as entered_at
        from entry_histories
       where left_at is null
         and entered_at between clock_timestamp() - interval '1 day'
                            and clock_timestamp() - interval '30 seconds'
         and tenant_id not in (select id from tenants where is_sandbox)
    )
    select entered_at is not null
           and not exists (select 1 from provider_notifications
                            where received_at > newest.entered_at - interval '1 minute'
                              and not starts_with(id, ${SIMULATED_EVENT})
                              and not starts_with(event, 'egress_'))
             as "areMissing"
      from newest
  `
  return row?.areMissing ?? false
}

/** Seconds since the reconciler, which any worker runs, should have run. Returns undefined if it was never requested. */
export async function findReconcilerDelaySec(query: Query): Promise<number | undefined> {
  const [row] = await query<{ delaySec: number }[]>`
    select extract(epoch from clock_timestamp() - greatest(due_at, lease_until))::float8
             as "delaySec"
      from jobs
     where kind = 'reconcile-attendance' and key = 'all'
  `
  return row?.delaySec
}
