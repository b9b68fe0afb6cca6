import { type Db, type Query, type Tx, together } from '../../platform/db/db.ts'
import { isPostponed } from '../../platform/jobs/due-items-job.ts'
import { insertClocks } from '../room-log/room-clock.ts'
import {
  type LockedRoomKey,
  queueForRoom,
  reserveSlotInRoom,
  type RoomKey,
} from '../room-log/room-lock.ts'
import type { Room, RoomSettings } from './room.ts'
import type { Session } from './session.ts'

/** A room before its media room exists. */
export interface IntendedRoom extends RoomSettings {
  id: string
  tenantId: string
  createdAt: Date
  /** Null for rooms without a slot. */
  session: Omit<Session, 'cancelledAt'> | null
}

/** The same with a session. */
export type BookedRoom = IntendedRoom & { session: Omit<Session, 'cancelledAt'> }

/**
 * Inserts room, session and clock in one statement and one round trip. Returns false and writes nothing when the external
 * reference is taken.
 */
export async function insertIntention(db: Query, room: BookedRoom): Promise<boolean> {
  const { session } = room
  const { count } = await db`
    with new_session as (
      insert into sessions (id, tenant_id, room_id, external_type, external_id, name, access_token,
                            starts_at, ends_at, created_at)
      values (${session.id}, ${room.tenantId}, ${room.id}, ${session.externalType},
              ${session.externalId}, ${session.name}, ${session.accessToken},
              ${session.startsAt}, ${session.endsAt}, ${session.createdAt})
      on conflict on constraint sessions_external_ref_is_unique do nothing
      returning room_id
    ), new_clock as (
      ${insertClocks(db, db`select room_id from new_session`)}
    )
    insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                       stream_frame_rate, transcription_language, transcription_service,
                       transcription_failover, live_text, created_at)
    select room_id, ${room.tenantId}, ${room.kind}, ${room.archiveMode}, ${room.archiveResolution},
           ${room.streamResolution}, ${room.streamFrameRate}::integer,
           ${room.transcriptionLanguage}, ${room.transcriptionService},
           ${room.transcriptionFailover}::text[], ${room.liveText}, ${room.createdAt}::timestamptz
      from new_session
  `
  return count === 1
}

/** Inserts a room without a slot, and its clock. */
export async function insertSlotlessIntention(db: Db, room: IntendedRoom): Promise<void> {
  await db`
    with new_clock as (
      ${insertClocks(db, db`values (${room.id})`)}
    )
    insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                       stream_frame_rate, transcription_language, transcription_service,
                       transcription_failover, live_text, created_at)
    values (${room.id}, ${room.tenantId}, ${room.kind}, ${room.archiveMode},
            ${room.archiveResolution}, ${room.streamResolution}, ${room.streamFrameRate},
            ${room.transcriptionLanguage}, ${room.transcriptionService},
            ${room.transcriptionFailover}, ${room.liveText}, ${room.createdAt})
  `
}

/** Makes an intention a room, once. Returns false when it was undone meanwhile. */
export async function markProvisioned(tx: Tx, roomId: string, sid: string): Promise<boolean> {
  const { count } = await tx`
    update rooms
       set media_room_sid = ${sid}
     where id = ${roomId}
       and media_room_sid is null
  `
  return count === 1
}

/** Deletes an intention with its session and clock. A finished room is left alone. */
export async function deleteIntention(db: Query, roomId: string): Promise<boolean> {
  const { count } = await db`
    delete from rooms
     where id = ${roomId}
       and media_room_sid is null
  `
  return count === 1
}

export interface ExternalRef {
  tenantId: string
  externalType: string
  externalId: string
}

/** The room or intention that an external reference belongs to. */
interface ReferenceHolder {
  sessionId: string
  roomId: string
  isRoom: boolean
  createdAt: Date
}

export async function findHolder(
  db: Query,
  ref: ExternalRef,
): Promise<ReferenceHolder | undefined> {
  const [row] = await db<ReferenceHolder[]>`
    select s.id as "sessionId", r.id as "roomId", r.media_room_sid is not null as "isRoom",
           r.created_at as "createdAt"
      from sessions s
      join rooms r on r.id = s.room_id
     where s.tenant_id     = ${ref.tenantId}
       and s.external_type = ${ref.externalType}
       and s.external_id   = ${ref.externalId}
  `
  return row
}

/** Intentions from before this moment, oldest first. Leaves out those that wait for a retry by a job. */
export async function listIntentions(
  query: Query,
  { retriedBy, before, limit }: { retriedBy: string; before: Date; limit: number },
): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select id
      from rooms
     where media_room_sid is null
       and created_at < ${before}
       and not ${isPostponed(query, { kind: retriedBy, key: query`rooms.id::text` })}
     order by created_at
     limit ${limit}
  `
  return rows.map((row) => row.id)
}

/** True if this tenant has such a room. */
export async function isRoom(query: Query, { tenantId, roomId }: RoomKey): Promise<boolean> {
  const rows = await query`
    select 1 from rooms
     where id = ${roomId} and tenant_id = ${tenantId} and media_room_sid is not null
  `
  return rows.length === 1
}

export async function findRoom(db: Query, key: RoomKey): Promise<Room | undefined> {
  const [row] = await db<RoomRow[]>`
    select r.id, r.tenant_id, r.kind, r.archive_mode, r.archive_resolution, r.stream_resolution,
           r.stream_frame_rate, r.transcription_language, r.transcription_service,
           r.transcription_failover, r.live_text, r.media_room_sid, r.created_at, r.closed_at,
           s.id as session_id, s.external_type, s.external_id, s.name, s.access_token,
           s.starts_at, s.ends_at, s.created_at as session_created_at, s.cancelled_at
      from rooms r
      left join sessions s on s.room_id = r.id
     where r.id = ${key.roomId}
       and r.tenant_id = ${key.tenantId}
       and r.media_room_sid is not null
  `
  return row && toRoom(row)
}

/** Locks the room for a change of its state until the transaction ends. Returns undefined without such a room. */
export async function findLockedRoom(tx: Tx, key: RoomKey): Promise<LockedRoomKey | undefined> {
  reserveSlotInRoom(tx, key.roomId)
  // The room's key never changes, so rows that refer to it can be inserted meanwhile without waiting.
  const [locked, { count }] = await together([
    queueForRoom(tx, key.roomId, 'alone'),
    tx`
      select 1
        from rooms
       where id = ${key.roomId}
         and tenant_id = ${key.tenantId}
         and media_room_sid is not null
         for no key update
    `,
  ])
  return count === 1 ? { ...locked, tenantId: key.tenantId } : undefined
}

/**
 * Closes the room once, and never before an admission that preceded the close: clocks of processes differ by milliseconds. A repeat
 * changes nothing and returns false.
 */
export async function markClosed(tx: Tx, key: RoomKey, at: Date): Promise<boolean> {
  const { count } = await tx`
    update rooms
       set closed_at = greatest(${at}, (select max(admitted_at) from admissions
                                         where room_id = ${key.roomId}))
     where id = ${key.roomId}
       and tenant_id = ${key.tenantId}
       and closed_at is null
  `
  return count === 1
}

/** Changes only the given fields, so two patches of different fields both take effect. */
export async function updateTranscription(
  tx: Tx,
  key: RoomKey,
  { language, service }: { language: string | undefined; service: string | undefined },
): Promise<void> {
  await tx`
    update rooms
       set transcription_language = coalesce(${language ?? null}, transcription_language),
           transcription_service  = coalesce(${service ?? null}, transcription_service)
     where id = ${key.roomId}
       and tenant_id = ${key.tenantId}
  `
}

/** True if anybody has ever entered the room. */
export async function hasEntries(query: Query, roomId: string): Promise<boolean> {
  const [row] = await query<{ has: boolean }[]>`
    select exists (select from entry_histories where room_id = ${roomId}) as has
  `
  return row?.has === true
}

export async function markCancelled(tx: Tx, key: RoomKey, at: Date): Promise<void> {
  await tx`
    update sessions
       set cancelled_at = ${at}
     where room_id = ${key.roomId}
       and tenant_id = ${key.tenantId}
       and cancelled_at is null
  `
}

/** The slot of a room that is not closed. */
interface OpenSlot {
  id: string
  session: { startsAt: Date; endsAt: Date } | null
}

/** The slot of an open room, which its media room depends on. Returns undefined once the room is closed. */
export async function findOpenSlot(db: Query, roomId: string): Promise<OpenSlot | undefined> {
  const [row] = await db<{ startsAt: Date | null; endsAt: Date | null }[]>`
    select s.starts_at as "startsAt", s.ends_at as "endsAt"
      from rooms r
      left join sessions s on s.room_id = r.id
     where r.id = ${roomId}
       and r.media_room_sid is not null
       and r.closed_at is null
  `
  if (row === undefined) return undefined
  const { startsAt, endsAt } = row
  return { id: roomId, session: startsAt === null || endsAt === null ? null : { startsAt, endsAt } }
}

/** True once somebody was admitted: they may be about to connect. */
export async function hasVisitors(db: Query, roomId: string): Promise<boolean> {
  const { count } = await db`select 1 from admissions where room_id = ${roomId} limit 1`
  return count === 1
}

/** True while people may be in this media room. False for closed rooms and undone intentions. */
export async function isOpen(db: Query, roomId: string): Promise<boolean> {
  const { count } = await db`
    select 1
      from rooms
     where id = ${roomId}
       and closed_at is null
  `
  return count === 1
}

interface RoomRow {
  id: string
  tenant_id: string
  kind: Room['kind']
  archive_mode: Room['archiveMode']
  archive_resolution: Room['archiveResolution']
  stream_resolution: Room['streamResolution']
  stream_frame_rate: Room['streamFrameRate']
  transcription_language: string
  transcription_service: Room['transcriptionService']
  transcription_failover: Room['transcriptionFailover']
  live_text: Room['liveText']
  media_room_sid: string
  created_at: Date
  closed_at: Date | null
  session_id: string | null
  external_type: string
  external_id: string
  name: string | null
  access_token: string
  starts_at: Date
  ends_at: Date
  session_created_at: Date
  cancelled_at: Date | null
}

function toRoom(row: RoomRow): Room {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    archiveMode: row.archive_mode,
    archiveResolution: row.archive_resolution,
    streamResolution: row.stream_resolution,
    streamFrameRate: row.stream_frame_rate,
    transcriptionLanguage: row.transcription_language,
    transcriptionService: row.transcription_service,
    transcriptionFailover: row.transcription_failover,
    liveText: row.live_text,
    mediaRoomSid: row.media_room_sid,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    session: row.session_id === null ? null : toSession(row, row.session_id),
  }
}

function toSession(row: RoomRow, id: string): Session {
  return {
    id,
    roomId: row.id,
    externalType: row.external_type,
    externalId: row.external_id,
    name: row.name,
    accessToken: row.access_token,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    createdAt: row.session_created_at,
    cancelledAt: row.cancelled_at,
  }
}
