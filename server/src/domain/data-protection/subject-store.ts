import { WINDOW_MARGIN_SEC } from '@interview-room/contract/limits.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import type { DataSubject, RoomOfPerson } from './erasure.ts'
import { holdOf } from './hold-store.ts'

// Reads the data that other folders store about a person. Nothing is written here.

/** Every room that the person entered, and those of their connection tests. */
export async function listRoomsOf(
  query: Query,
  { tenantId, externalType, externalId }: DataSubject,
): Promise<RoomOfPerson[]> {
  return query<RoomOfPerson[]>`
    with theirs as (
      select distinct p.room_id as id, null::uuid as test_id, null::timestamptz as test_ends_at
        from participants p
       where p.tenant_id = ${tenantId} and p.external_type = ${externalType}
         and p.external_id = ${externalId}
      union all
      select t.room_id, t.id, case when t.status in ('pending', 'running') then t.expires_at end
        from connection_tests t
       where t.tenant_id = ${tenantId} and t.external_type = ${externalType}
         and t.external_id = ${externalId}
    )
    select r.id as "roomId", theirs.test_id as "connectionTestId",
           coalesce(r.closed_at, s.cancelled_at, theirs.test_ends_at,
                    s.ends_at + make_interval(secs => ${WINDOW_MARGIN_SEC})) as "endsAt",
           (exists (select 1 from entry_histories e where e.room_id = r.id and e.left_at is null)
            or exists (select 1 from recordings c
                        where c.room_id = r.id and c.status in ('started', 'paused'))) as "isBusy",
           exists (select 1 from recordings c
                    where c.room_id = r.id and c.status in ('stopped', 'uploaded')) as "isFinishing",
           ${holdOf(query)} as "legalHoldId"
      from theirs
      join rooms r on r.id = theirs.id
      left join sessions s on s.room_id = r.id
     order by r.id
  `
}

/** The legal hold that covers a room now. */
export async function findHoldOfRoom(query: Query, roomId: string): Promise<string | undefined> {
  const [row] = await query<{ holdId: string | null }[]>`
    select ${holdOf(query)} as "holdId" from rooms r where r.id = ${roomId}
  `
  return row?.holdId ?? undefined
}

export interface PersonInRoom {
  participantIds: string[]
  /** Entries of the person. */
  entryIds: string[]
  /** Recordings of the whole room. */
  recordingIds: string[]
}

/** Part of a statement: true if `c` was ever published. A recording that ended before its egress began is left out. */
function isRecording(query: Query) {
  return query`c.provider_archive_id is not null`
}

export async function findPersonInRoom(
  query: Query,
  { tenantId, externalType, externalId }: DataSubject,
  roomId: string,
): Promise<PersonInRoom> {
  const [row] = await query<PersonInRoom[]>`
    with theirs as (
      select id from participants
       where room_id = ${roomId} and tenant_id = ${tenantId}
         and external_type = ${externalType} and external_id = ${externalId}
    )
    select coalesce((select array_agg(id::text) from theirs), '{}') as "participantIds",
           coalesce((select array_agg(e.id::text) from entry_histories e
                      where e.room_id = ${roomId}
                        and e.participant_id in (select id from theirs)), '{}') as "entryIds",
           coalesce((select array_agg(c.id::text order by c.seq) from recordings c
                      where c.room_id = ${roomId} and ${isRecording(query)}), '{}')
             as "recordingIds"
  `
  if (row === undefined) throw new Error('an aggregate answered no row')
  return row
}

export interface RecordedObjects {
  keys: string[]
  processedCount: number
  clipCount: number
  transcriptionCount: number
}

/** Every object of the recordings of a room, and the number of records made from them. */
export async function findRecordedObjects(query: Query, roomId: string): Promise<RecordedObjects> {
  const [row] = await query<RecordedObjects[]>`
    with theirs as (select c.id, c.storage_key from recordings c
                     where c.room_id = ${roomId} and ${isRecording(query)}),
         processed as (select p.storage_key, p.upload_key from processed_recordings p
                        where p.recording_id in (select id from theirs)),
         clipped as (select k.storage_key from clips k
                      where k.recording_id in (select id from theirs)),
         transcribed as (select t.id, t.result_key from transcriptions t
                          where t.recording_id in (select id from theirs)),
         revised as (select v.result_key, v.words_key from transcription_revisions v
                      where v.transcription_id in (select id from transcribed)),
         keys as (
           select storage_key as key from theirs
           union select storage_key from recording_segments where room_id = ${roomId}
           union select v.storage_key from recording_voices v
                  where v.recording_id in (select id from theirs)
           union select storage_key from processed
           union select upload_key from processed
           union select storage_key from clipped
           union select result_key from transcribed
           union select result_key from revised
           union select words_key from revised)
    select coalesce((select array_agg(key) from keys where key is not null), '{}') as keys,
           (select count(*)::int from processed) as "processedCount",
           (select count(*)::int from clipped) as "clipCount",
           (select count(*)::int from transcribed) as "transcriptionCount"
  `
  if (row === undefined) throw new Error('an aggregate answered no row')
  return row
}

export interface CountedTraces {
  participants: number
  entries: number
  admissions: number
  roomEvents: number
  messages: number
  liveTexts: number
  recordings: number
  processed: number
  clips: number
  transcriptions: number
  events: number
}

/** Counts the person's data in these rooms. */
export async function countTraces(
  query: Query,
  { tenantId, externalType, externalId }: DataSubject,
  roomIds: readonly string[],
): Promise<CountedTraces> {
  const rooms = [...roomIds]
  const [row] = await query<CountedTraces[]>`
    with theirs as (
           select id from participants
            where room_id = any(${rooms}::uuid[]) and tenant_id = ${tenantId}
              and external_type = ${externalType} and external_id = ${externalId}),
         entered as (select id from entry_histories
                      where room_id = any(${rooms}::uuid[])
                        and participant_id in (select id from theirs)),
         recorded as (select c.id from recordings c
                       where c.room_id = any(${rooms}::uuid[]) and ${isRecording(query)}),
         tests as (select id from connection_tests
                    where room_id = any(${rooms}::uuid[]) and external_type = ${externalType}
                      and external_id = ${externalId})
    select (select count(*)::int from theirs) as participants,
           (select count(*)::int from entered) as entries,
           (select count(*)::int from admissions
             where room_id = any(${rooms}::uuid[])
               and participant_id in (select id from theirs)) as admissions,
           (select count(*)::int from room_events
             where room_id = any(${rooms}::uuid[])
               and (payload ->> 'participant_id' in (select id::text from theirs)
                    or payload ->> 'identity' in (select id::text from theirs))) as "roomEvents",
           (select count(*)::int from chat_messages
             where room_id = any(${rooms}::uuid[])
               and participant_id in (select id from theirs)) as messages,
           (select count(*)::int from live_texts
             where room_id = any(${rooms}::uuid[])
               and media_identity in (select id::text from theirs)) as "liveTexts",
           (select count(*)::int from recorded) as recordings,
           (select count(*)::int from processed_recordings
             where recording_id in (select id from recorded)) as processed,
           (select count(*)::int from clips
             where recording_id in (select id from recorded)) as clips,
           (select count(*)::int from transcriptions
             where recording_id in (select id from recorded)) as transcriptions,
           (select count(*)::int from webhook_events
             where tenant_id = ${tenantId}
               and dedupe_key in (select 'entry:' || id from entered
                                  union all
                                  select 'connection_test:' || id || ':done' from tests)) as events
  `
  if (row === undefined) throw new Error('an aggregate answered no row')
  return row
}

/** True if the tenant has this room. */
export async function hasRoom(
  tx: Tx,
  { tenantId, roomId }: { tenantId: string; roomId: string },
): Promise<boolean> {
  const rows = await tx`
    select 1 from rooms
     where id = ${roomId} and tenant_id = ${tenantId} and media_room_sid is not null
  `
  return rows.length > 0
}
