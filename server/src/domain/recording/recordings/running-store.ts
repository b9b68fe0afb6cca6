import type {
  ArchiveMode,
  ArchiveResolution,
  OutputMode,
} from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import { SUBJECT_IDENTITY } from '../../people/subject.ts'
import type { RoomKey } from '../../room-log/room-lock.ts'
import { RESTARTS_MAX, type StopReason } from './recording.ts'
import type { SegmentPerson } from './segment.ts'
import { everybodyLeft } from './shown-store.ts'

/** The one recording of a room that is running or about to start. */
export interface RunningRow {
  id: string
  status: 'started' | 'paused'
  outputMode: OutputMode
  /** True until the provider has answered. Until then it is not visible. */
  isIntention: boolean
  since: Date
  /** Set when its recorder died: it is paused, and resumes automatically. */
  interruptedAt: Date | null
  /** Number of automatic resumes, failed ones included. */
  restarts: number
}

export async function findRunning(query: Query, roomId: string): Promise<RunningRow | undefined> {
  const [row] = await query<RunningRow[]>`
    select id, status, output_mode as "outputMode",
           provider_archive_id is null as "isIntention",
           created_at as since, interrupted_at as "interruptedAt", restarts
      from recordings
     where room_id = ${roomId} and status in ('started', 'paused')
  `
  return row
}

/**
 * Counts an automatic resume. Returns false when there were too many.
 * @param interruptedAt set if it is paused until it resumes.
 */
export async function countRestart(
  tx: Tx,
  id: string,
  interruptedAt: Date | null = null,
): Promise<boolean> {
  const { count } = await tx`
    update recordings
       set restarts = restarts + 1, interrupted_at = coalesce(${interruptedAt}, interrupted_at)
     where id = ${id} and restarts < ${RESTARTS_MAX}
  `
  return count === 1
}

/**
 * Ends the interruption, because it continues or a moderator's command replaces it. Returns true when it was interrupted.
 */
export async function endInterruption(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`
    update recordings set interrupted_at = null where id = ${id} and interrupted_at is not null
  `
  return count === 1
}

export interface NewRecording extends RoomKey {
  id: string
  seq: bigint
  outputMode: OutputMode
  isAutomatic: boolean
  at: Date
}

/** The caller has the room's lock, and knows that none is running. */
export async function insertIntention(tx: Tx, recording: NewRecording): Promise<void> {
  await tx`
    insert into recordings (id, tenant_id, room_id, seq, status, output_mode, is_automatic,
                            created_at, updated_at)
    values (${recording.id}, ${recording.tenantId}, ${recording.roomId}, ${recording.seq},
            'started', ${recording.outputMode}, ${recording.isAutomatic}, ${recording.at},
            ${recording.at})
  `
}

/**
 * Makes an intention a recording, at its position in the room's log, so that lists miss none that became visible later than
 * it was requested. Returns false when it already is one, or no longer exists.
 */
export async function publishIntention(
  tx: Tx,
  { id, egressId, seq, at }: { id: string; egressId: string; seq: bigint; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update recordings
       set provider_archive_id = ${egressId}, seq = ${seq}, created_at = ${at}, updated_at = ${at}
     where id = ${id} and provider_archive_id is null
  `
  return count === 1
}

/** Deletes an intention. Its segments then belong to no recording. */
export async function deleteIntention(tx: Tx, id: string): Promise<void> {
  await tx`delete from recordings where id = ${id} and provider_archive_id is null`
}

/** Keeps the row, unpublished, as a moderator's command to record nothing. */
export async function markCommandGiven(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`
    update recordings
       set status = 'failed', stop_reason = 'moderator', stopped_at = ${at}, updated_at = ${at},
           failure_reason = 'provider_aborted'
     where id = ${id} and provider_archive_id is null
  `
}

/** Keeps another recording from following the newest one of the room, however that ended. */
export async function markEndWanted(tx: Tx, roomId: string): Promise<void> {
  await tx`
    update recordings
       set stop_reason = 'moderator'
     where stop_reason is not null
       and id = (select id from recordings where room_id = ${roomId} order by seq desc limit 1)
  `
}

/** True if the provider has begun it, or a moderator stopped it before. */
export async function hasBegunOrWasStopped(query: Query, id: string): Promise<boolean> {
  const rows = await query`
    select 1
      from recordings
     where id = ${id} and (provider_archive_id is not null or stop_reason = 'moderator')
  `
  return rows.length > 0
}

export async function setStopped(
  tx: Tx,
  { id, reason, at }: { id: string; reason: StopReason; at: Date },
): Promise<void> {
  await tx`
    update recordings set stop_reason = ${reason}, stopped_at = ${at}
     where id = ${id} and stopped_at is null
  `
}

/** The facts about a room that its recordings need. */
export interface RecordedRoom extends RoomKey {
  archiveMode: ArchiveMode
  archiveResolution: ArchiveResolution
  streamFrameRate: number
  isReleased: boolean
  /** Start of the slot; null for rooms without one. */
  startsAt: Date | null
  endsAt: Date | null
  /** Number of moderators and panelists inside. */
  presentCount: number
  lastLeftAt: Date | null
  /** The tenant's media is simulated. */
  isSandbox?: boolean
}

/**
 * Returns undefined while the room is only an intention. It counts moderators, panelists, and the person who takes a
 * connection test while that is running.
 */
export async function findRecordedRoom(
  query: Query,
  roomId: string,
): Promise<RecordedRoom | undefined> {
  const [row] = await query<RecordedRoom[]>`
    select r.id as "roomId", r.tenant_id as "tenantId",
           r.archive_mode as "archiveMode", r.archive_resolution as "archiveResolution",
           r.stream_frame_rate as "streamFrameRate",
           (r.closed_at is not null or s.cancelled_at is not null) as "isReleased",
           s.starts_at as "startsAt", s.ends_at as "endsAt",
           (select count(*)::integer
              from entry_histories e
             where e.room_id = r.id and e.role in ('moderator', 'panelist')
               and e.left_at is null)
           + (select count(*)::integer
                from connection_tests t
               where t.room_id = r.id and t.status = 'running') as "presentCount",
           (select max(e.left_at)
              from entry_histories e
             where e.room_id = r.id and e.role in ('moderator', 'panelist')) as "lastLeftAt",
           (select is_sandbox from tenants where id = r.tenant_id) as "isSandbox"
      from rooms r
      left join sessions s on s.room_id = r.id
     where r.id = ${roomId}
       and r.media_room_sid is not null
  `
  return row
}

/** The newest ended recording of a room. */
export interface LastRecording {
  hasFailed: boolean
  outputMode: OutputMode
  stopReason: StopReason | null
  endedAt: Date
  /** As `everybodyLeft` defines it. */
  everybodyLeftSince: boolean
  /** Number of the room's recordings that failed within the hour before it ended. */
  failures: number
}

export async function findLastRecording(
  query: Query,
  roomId: string,
  now: Date,
): Promise<LastRecording | undefined> {
  const last = {
    roomId: query`${roomId}::uuid`,
    endedAt: query`last."endedAt"`,
    stopReason: query`last."stopReason"`,
    now,
  }
  const [row] = await query<LastRecording[]>`
    with last as (
      select status = 'failed' as "hasFailed", output_mode as "outputMode",
             stop_reason as "stopReason", coalesce(stopped_at, updated_at) as "endedAt"
        from recordings
       where room_id = ${roomId}
         and status not in ('started', 'paused')
       order by seq desc
       limit 1
    )
    select last."hasFailed", last."outputMode", last."stopReason", last."endedAt",
           ${everybodyLeft(query, last)} as "everybodyLeftSince",
           (select count(*)::integer
              from recordings f
             where f.room_id = ${roomId} and f.status = 'failed'
               and f.provider_archive_id is not null
               and f.updated_at > last."endedAt" - interval '1 hour') as failures
      from last
  `
  return row
}

/** People who are recorded: moderators, panelists, and the person who takes a connection test. */
export async function listRecordedPeople(
  query: Query,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<SegmentPerson[]> {
  return query<SegmentPerson[]>`
    (select distinct on (media_identity)
            media_identity as "mediaIdentity", participant_id as "participantId", role,
            display_name as "displayName"
       from admissions
      where room_id = ${roomId}
        and media_identity = any(${[...identities]})
        and role in ('moderator', 'panelist')
      order by media_identity, admitted_at desc)
    union all
    select ${SUBJECT_IDENTITY}, null, 'panelist', coalesce(name, '')
      from connection_tests
     where room_id = ${roomId} and ${identities.includes(SUBJECT_IDENTITY)}
  `
}

/** Ended recordings whose file is not available yet. */
export async function listUnfinishedRecordings(query: Query, roomId: string): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select id from recordings where room_id = ${roomId} and status in ('stopped', 'uploaded')
  `
  return rows.map(({ id }) => id)
}

/** Rooms to reconcile: with unfinished recordings, or with people to record. */
export async function listRoomsToReconcile(query: Query): Promise<string[]> {
  const rows = await query<{ roomId: string }[]>`
    select room_id as "roomId"
      from recordings
     where status in ('started', 'paused', 'stopped', 'uploaded')
    union
    select e.room_id
      from entry_histories e
      join rooms r on r.id = e.room_id
     where e.left_at is null
       and e.role in ('moderator', 'panelist')
       and (r.archive_mode = 'always'
            -- A recording that broke off is restarted while somebody is present.
            or exists (select 1
                         from recordings c
                        where c.room_id = r.id and c.stop_reason = 'provider'))
    union
    select room_id
      from connection_tests
     where status = 'running' and has_recording
    union
    select room_id
      from recording_segments
     where status not in ('complete', 'failed', 'aborted') or recording_id is null
  `
  return rows.map(({ roomId }) => roomId)
}
