import { findUnnamedObjects } from '../../domain/monitoring/find-unnamed-objects.ts'
import { type Db, type Query, raw } from '../../platform/db/db.ts'
import { systemClock } from '../../platform/lib/clock.ts'
import { createFakeStorage } from '../fake-storage.ts'
import type { OwnFault } from './steps.ts'

/** One tenant's rows, as invariants compare them. Times are in milliseconds. */
export interface Facts {
  events: { id: string; type: string; stream: string; data: unknown }[]
  deliveries: { eventId: string; state: string }[]
  entries: EntryFact[]
  roomEvents: RoomEventFact[]
  intervals: { roomId: string; recordingId: string; beganMs: number; endedMs: number | null }[]
  recordings: RecordingFact[]
  made: { kind: string; id: string; status: string; recordingId: string }[]
  connections: { roomId: string; sid: string; personId: string }[]
  banned: { roomId: string; personId: string }[]
  numbers: { roomId: string; clock: number; seqs: number[] }[]
  egresses: { roomId: string; status: string }[]
  waiting: { notifications: number; jobs: string[] }
  openRooms: number
  now: number
}

interface RecordingFact {
  id: string
  roomId: string
  status: string
  key: string | null
  bytes: number
  reason: string | null
}

interface RoomEventFact {
  roomId: string
  type: string
  payload: { identity?: string } | null
  atMs: number
}

export interface EntryFact {
  id: number
  roomId: string
  sid: string
  personId: string
  participantId: string | null
  role: string
  enteredMs: number
  leftMs: number | null
}

export async function limitRooms(
  db: Db,
  { tenantId, roomsMax }: { tenantId: string; roomsMax: number },
): Promise<void> {
  await db`update tenants set rooms_max = ${roomsMax} where id = ${tenantId}`
}

/** Lets the test's database lose, double and hold back notifications of the simulated provider, each as it was planned. */
export async function installNewsFaults(db: Db): Promise<void> {
  for (const statement of NEWS_FAULTS) await db`${raw(statement)}`
}

const NEWS_FAULTS = [
  `create table planned_news_faults (tenant_id uuid not null, fault text not null)`,
  `create table late_news (tenant_id uuid not null, body text not null)`,
  `create function strike_news() returns trigger language plpgsql as $$
     declare
       tenant uuid := (select tenant_id from rooms where id::text = new.media_room);
       planned text;
     begin
       if new.id like '%-again' then return new; end if;
       delete from planned_news_faults
        where ctid = (select ctid from planned_news_faults where tenant_id = tenant limit 1
                         for update skip locked)
       returning fault into planned;
       if planned = 'notification late' then
         insert into late_news values (tenant, new.body);
       elsif planned = 'notification doubled' then
         insert into provider_notifications (id, event, media_room, body)
         values (new.id || '-again', new.event, new.media_room, new.body);
       end if;
       if planned in ('notification lost', 'notification late') then return null; end if;
       return new;
     end $$`,
  `create trigger strike_news before insert on provider_notifications
     for each row execute function strike_news()`,
]

export async function planNewsFault(db: Db, tenantId: string, fault: OwnFault): Promise<void> {
  await db`insert into planned_news_faults values (${tenantId}, ${fault})`
}

/** Bodies of the notifications that were held back. */
export async function takeLateNews(query: Query, tenantId: string): Promise<string[]> {
  const rows = await query<{ body: string }[]>`
    delete from late_news where tenant_id = ${tenantId} returning body
  `
  return rows.map(({ body }) => body)
}

const MS = (column: string) => raw(`(extract(epoch from ${column}) * 1000)::float8`)

export async function listEntries(query: Query, tenantId: string): Promise<EntryFact[]> {
  return query<EntryFact[]>`
    select e.id::int as id, e.room_id as "roomId", e.media_sid as sid, e.role,
           e.participant_id as "participantId",
           coalesce(p.external_id, '') as "personId",
           ${MS('e.entered_at')} as "enteredMs", ${MS('e.left_at')} as "leftMs"
      from entry_histories e
      left join participants p on p.id = e.participant_id
     where e.tenant_id = ${tenantId}
     order by e.room_id, e.seq
  `
}

/** Status of the running recording in each room that has one. */
export async function listRunning(
  query: Query,
  tenantId: string,
): Promise<{ roomId: string; status: string }[]> {
  return query`
    select room_id as "roomId", status from recordings
     where tenant_id = ${tenantId} and status in ('started', 'paused') and provider_archive_id <> ''
  `
}

/** True while a media room may be made anew for its moved slot. A page that loses it connects again, which is not played. */
export async function isResizing(query: Query, tenantId: string): Promise<boolean> {
  const { count } = await query`
    select 1 from jobs j join rooms r on r.id::text = j.key
     where j.kind = 'follow-slot' and r.tenant_id = ${tenantId} and j.succeeded_at is null
  `
  return count > 0
}

/** Recordings that have ended and whose file is still made. */
export async function countUnfinished(query: Query, tenantId: string): Promise<number> {
  const { count } = await query`
    select 1 from recordings where tenant_id = ${tenantId} and status in ('stopped', 'uploaded')
  `
  return count
}

export async function countUnapplied(query: Query, tenantId: string): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::int as count
      from provider_notifications n
      join rooms r on r.id::text = n.media_room
     where r.tenant_id = ${tenantId} and n.applied_at is null
  `
  return row?.count ?? 0
}

export async function readFacts(query: Query, tenantId: string): Promise<Facts> {
  const [row] = await query<{ now: number; openRooms: number }[]>`
    select ${MS('clock_timestamp()')} as now,
           (select count(*)::int from sessions s join rooms r on r.id = s.room_id
             where s.tenant_id = ${tenantId} and s.ends_at + interval '30 minutes' > clock_timestamp()
               and s.cancelled_at is null and r.closed_at is null) as "openRooms"
  `
  const events = await query<{ body: string; stream: string }[]>`
    select body, stream_key as stream from webhook_events
     where tenant_id = ${tenantId} and not is_feed_only order by seq
  `
  return {
    now: row?.now ?? 0,
    openRooms: row?.openRooms ?? 0,
    events: events.map(({ body, stream }) => ({ ...JSON.parse(body), stream })),
    deliveries: await query`
      select d.event_id as "eventId", d.state
        from webhook_deliveries d join webhook_events e on e.id = d.event_id
       where e.tenant_id = ${tenantId}
    `,
    entries: await listEntries(query, tenantId),
    roomEvents: await query`
      select room_id as "roomId", event_type as type, payload,
             ${MS('created_at')} as "atMs"
        from room_events where tenant_id = ${tenantId} order by room_id, seq
    `,
    ...(await readRecordings(query, tenantId)),
    ...(await readPresence(query, tenantId)),
    waiting: {
      notifications: await countUnapplied(query, tenantId),
      jobs: await listJobs(query, tenantId),
    },
  }
}

async function readRecordings(
  query: Query,
  tenantId: string,
): Promise<Pick<Facts, 'intervals' | 'recordings' | 'made' | 'egresses'>> {
  return {
    intervals: await query`
      select c.room_id as "roomId", c.id as "recordingId", ${MS('i.began_at')} as "beganMs",
             ${MS('i.ended_at')} as "endedMs"
        from recording_intervals i join recordings c on c.id = i.recording_id
       where c.tenant_id = ${tenantId} order by i.began_at
    `,
    recordings: await query`
      select id, room_id as "roomId", status, storage_key as key, failure_reason as reason,
             coalesce(size_bytes, 0)::float8 as bytes
        from recordings where tenant_id = ${tenantId} order by created_at, id
    `,
    made: await query`
      select 'trim' as kind, p.id, p.status, p.recording_id as "recordingId"
        from processed_recordings p where p.tenant_id = ${tenantId}
      union all
      select 'clip', id, status, recording_id from clips where tenant_id = ${tenantId}
      union all
      select 'transcription', t.id, t.status, t.recording_id
        from transcriptions t join recordings c on c.id = t.recording_id
       where c.tenant_id = ${tenantId}
    `,
    egresses: await query`
      select media_room as "roomId", status from simulated_egresses where tenant_id = ${tenantId}
    `,
  }
}

async function readPresence(
  query: Query,
  tenantId: string,
): Promise<Pick<Facts, 'connections' | 'banned' | 'numbers'>> {
  return {
    connections: await query`
      select c.media_room as "roomId", c.sid, p.external_id as "personId"
        from simulated_connections c
        join participants p on p.id::text = c.identity
        join rooms r on r.id = c.media_room
       where r.tenant_id = ${tenantId}
    `,
    banned: await query`
      select p.room_id as "roomId", p.external_id as "personId"
        from participants p join rooms r on r.id = p.room_id
       where r.tenant_id = ${tenantId} and p.banned_at is not null
    `,
    numbers: await query`
      select c.room_id as "roomId", c.seq::int as clock,
             array(select seq::int from entry_histories where room_id = c.room_id
                   union all select seq::int from room_events where room_id = c.room_id
                   union all select seq::int from chat_messages where room_id = c.room_id) as seqs
        from room_clocks c join rooms r on r.id = c.room_id
       where r.tenant_id = ${tenantId}
    `,
  }
}

/** Jobs for the tenant's rooms and recordings that are due and not done. What waits for a later time is left out. */
async function listJobs(query: Query, tenantId: string): Promise<string[]> {
  const rows = await query<{ kind: string }[]>`
    select j.kind from jobs j
     where (j.key in (select id::text from rooms where tenant_id = ${tenantId})
         or j.key in (select id::text from recordings where tenant_id = ${tenantId}))
       and j.succeeded_at is null
       and (j.state = 'discarded' or j.due_at <= clock_timestamp())
  `
  return rows.map(({ kind }) => kind)
}

/** Recordings of rooms that still name this person. */
export async function listRecordedWith(
  query: Query,
  { tenantId, externalId }: { tenantId: string; externalId: string },
): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select c.id from recordings c join participants p on p.room_id = c.room_id
     where c.tenant_id = ${tenantId} and p.external_id = ${externalId}
  `
  return rows.map(({ id }) => id)
}

/** Keys that no row and no deletion names. */
export async function listUnnamed(db: Db, keys: readonly string[]): Promise<string[]> {
  const storage = createFakeStorage()
  // Old enough to be judged.
  const object = { body: Buffer.alloc(0), mime: 'video/mp4', storedAt: new Date(0) }
  for (const key of keys) storage.objects.set(key, object)
  const found = await findUnnamedObjects({ db, storage, clock: systemClock })
  return found.map(({ key }) => key)
}

/** Sessions of the service that are still in a transaction. */
export async function listOpenTransactions(query: Query): Promise<string[]> {
  const rows = await query<{ query: string }[]>`
    select query from pg_stat_activity
     where datname = current_database() and application_name like 'interview-room%'
       and xact_start < clock_timestamp() - interval '20 seconds'
  `
  return rows.map(({ query: text }) => text)
}
