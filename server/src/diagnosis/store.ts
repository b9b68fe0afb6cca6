import type { Query } from '../platform/db/db.ts'

/** True if LiveKit has sent a notification of this media room. Those of an egress may be a recorder's own. */
export async function hasNotificationOf(query: Query, mediaRoom: string): Promise<boolean> {
  const rows = await query`
    select 1
      from provider_notifications
     where media_room = ${mediaRoom} and not starts_with(event, 'egress_')
     limit 1
  `
  return rows.length > 0
}

/** True if a notification of this egress has come. */
export async function hasEgressNotification(
  query: Query,
  { mediaRoom, egressId }: { mediaRoom: string; egressId: string },
): Promise<boolean> {
  const rows = await query`
    select 1
      from provider_notifications
     where media_room = ${mediaRoom}
       and starts_with(event, 'egress_')
       and position(${egressId} in body) > 0
     limit 1
  `
  return rows.length > 0
}

/** The reasons for which notifications were not taken within these seconds, newest first. */
export async function listRefusals(
  query: Query,
  withinSec: number,
): Promise<{ reason: 'signature' | 'time' | 'path'; path: string }[]> {
  return query<{ reason: 'signature' | 'time' | 'path'; path: string }[]>`
    select reason, path
      from refused_notifications
     where refused_at > clock_timestamp() - make_interval(secs => ${withinSec})
     order by refused_at desc
  `
}

/** Stores the outcome of a probe in place of the one before. */
export async function insertProbe(
  query: Query,
  { failedCheck, tookMs }: { failedCheck: string | null; tookMs: number },
): Promise<void> {
  const failures = failedCheck === null ? 0 : 1
  await query`
    insert into media_probes (took_ms, failed_check, failures)
    values (${tookMs}, ${failedCheck}, ${failures})
    on conflict (is_newest) do update
       set ended_at = clock_timestamp(),
           took_ms = excluded.took_ms,
           failed_check = excluded.failed_check,
           failures = case when excluded.failures = 0 then 0 else media_probes.failures + 1 end
  `
}

/** True if a migration can add the extension of the search, or somebody has added it. */
export async function mayAddExtension(query: Query): Promise<boolean> {
  const rows = await query`
    select 1
     where has_database_privilege(current_database(), 'create')
        or exists (select 1 from pg_extension where extname = 'pg_trgm')
  `
  return rows.length > 0
}
