import type { Query, Tx } from '../../platform/db/db.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import type { SessionKey } from '../booking/session.ts'
import type { RoomMoment } from '../room-log/clock-store.ts'
import type { Handout } from './handout.ts'

/** The facts about a session that the rules for its handouts need. */
export interface HandoutSession {
  tenantId: string
  sessionId: string
  roomId: string
  endsAt: Date
  cancelledAt: Date | null
  roomClosedAt: Date | null
}

export async function findHandoutSession(
  query: Query,
  { tenantId, sessionId }: SessionKey,
): Promise<HandoutSession | undefined> {
  const [row] = await query<HandoutSession[]>`
    select s.tenant_id as "tenantId", s.id as "sessionId", s.room_id as "roomId",
           s.ends_at as "endsAt", s.cancelled_at as "cancelledAt", r.closed_at as "roomClosedAt"
      from sessions s
      join rooms r on r.id = s.room_id and r.media_room_sid is not null
     where s.id = ${sessionId}
       and s.tenant_id = ${tenantId}
  `
  return row
}

function selection(query: Query) {
  return query`
    select id, tenant_id as "tenantId", session_id as "sessionId", room_id as "roomId", seq,
           external_type as "externalType", external_id as "externalId", file_name as "fileName",
           title, content_type as "contentType", mime, storage_key as "storageKey",
           size_bytes::float8 as "sizeBytes", sort, created_at as "createdAt",
           case when rendition_key is not null then
             jsonb_build_object('key', rendition_key, 'sizeBytes', rendition_bytes)
           end as rendition
      from handouts
  `
}

export interface HandoutKey {
  tenantId: string
  handoutId: string
}

export async function findHandout(
  query: Query,
  { tenantId, handoutId }: HandoutKey,
): Promise<Handout | undefined> {
  const [row] = await query<Handout[]>`
    ${selection(query)} where id = ${handoutId} and tenant_id = ${tenantId}
  `
  return row
}

export async function findHandoutByRef(
  query: Query,
  {
    sessionId,
    externalType,
    externalId,
  }: Pick<Handout, 'sessionId' | 'externalType' | 'externalId'>,
): Promise<Handout | undefined> {
  const [row] = await query<Handout[]>`
    ${selection(query)}
     where session_id = ${sessionId}
       and external_type = ${externalType}
       and external_id = ${externalId}
  `
  return row
}

/** Position in the list of handouts after which a page continues. */
export interface HandoutPosition {
  sort: number
  seq: bigint
}

/** By `sort`, then in the order of registration. */
export async function listHandouts(
  query: Query,
  sessionId: string,
  { after, limit }: { after: HandoutPosition | undefined; limit: PageRequest['limit'] },
): Promise<Handout[]> {
  return query<Handout[]>`
    ${selection(query)}
     where session_id = ${sessionId}
       ${after === undefined ? query`` : query`and (sort, seq) > (${after.sort}, ${after.seq})`}
     order by sort, seq
     limit ${limit + 1}
  `
}

/** All handouts of the session that the room belongs to. */
export async function listHandoutsOfRoom(query: Query, roomId: string): Promise<Handout[]> {
  return query<Handout[]>`
    ${selection(query)} where session_id = (select id from sessions where room_id = ${roomId})
  `
}

/** The highest `sort` in the session. Returns undefined without handouts. */
export async function findLastSort(query: Query, sessionId: string): Promise<number | undefined> {
  const [row] = await query<{ sort: number | null }[]>`
    select max(sort) as sort from handouts where session_id = ${sessionId}
  `
  return row?.sort ?? undefined
}

/** Presented: from its latest `handout.show` until a later `handout.hide`. */
export async function isPresented(
  tx: Tx,
  { roomId, id }: Pick<Handout, 'roomId' | 'id'>,
): Promise<boolean> {
  const [latest] = await tx<{ isShow: boolean }[]>`
    select event_type = 'handout.show' as "isShow"
      from room_events
     where room_id = ${roomId}
       and event_type in ('handout.show', 'handout.hide')
       and payload ->> 'handout_id' = ${id}
     order by seq desc
     limit 1
  `
  return latest?.isShow ?? false
}

export async function insertHandout(
  tx: Tx,
  handout: Omit<Handout, 'seq' | 'createdAt'>,
  { seq, at }: RoomMoment,
): Promise<void> {
  await tx`
    insert into handouts (id, tenant_id, session_id, room_id, seq, external_type, external_id,
                          file_name, title, content_type, mime, storage_key, size_bytes, sort,
                          created_at, rendition_key, rendition_bytes)
    values (${handout.id}, ${handout.tenantId}, ${handout.sessionId}, ${handout.roomId}, ${seq},
            ${handout.externalType}, ${handout.externalId}, ${handout.fileName}, ${handout.title},
            ${handout.contentType}, ${handout.mime}, ${handout.storageKey}, ${handout.sizeBytes},
            ${handout.sort}, ${at}, ${handout.rendition?.key ?? null},
            ${handout.rendition?.sizeBytes ?? 0})
  `
}

/** Updates file and position. The owner and the time of registration stay. */
export async function updateHandout(tx: Tx, handout: Handout): Promise<void> {
  await tx`
    update handouts
       set file_name = ${handout.fileName}, title = ${handout.title}, content_type = ${handout.contentType},
           mime = ${handout.mime}, storage_key = ${handout.storageKey},
           size_bytes = ${handout.sizeBytes}, sort = ${handout.sort},
           rendition_key = ${handout.rendition?.key ?? null},
           rendition_bytes = ${handout.rendition?.sizeBytes ?? 0}
     where id = ${handout.id}
       and tenant_id = ${handout.tenantId}
  `
}

/** Deletes the handout and records that it existed. */
export async function deleteHandout(tx: Tx, { id, tenantId }: Handout, at: Date): Promise<void> {
  await tx`delete from handouts where id = ${id} and tenant_id = ${tenantId}`
  await tx`
    insert into handout_deletions (handout_id, tenant_id, deleted_at)
    values (${id}, ${tenantId}, ${at})
  `
}

/** True if the tenant had this handout and deleted it. */
export async function wasDeleted(
  query: Query,
  { tenantId, handoutId }: HandoutKey,
): Promise<boolean> {
  const rows = await query`
    select 1 from handout_deletions where handout_id = ${handoutId} and tenant_id = ${tenantId}
  `
  return rows.length > 0
}

/** The presented handout, and its video's position at the last change of playback. */
export interface Shown {
  handout: Handout
  endsAt: Date
  playback: { positionSec: number; isPlaying: boolean; at: Date } | null
}

/** The handout of the room's latest show, unless a later hide ended it. */
export async function findShownHandout(query: Query, roomId: string): Promise<Shown | undefined> {
  const [event] = await query<{ eventType: string; handoutId: string; endsAt: Date }[]>`
    select v.event_type as "eventType", v.payload ->> 'handout_id' as "handoutId",
           s.ends_at as "endsAt"
      from room_events v
      join sessions s on s.room_id = v.room_id
     where v.room_id = ${roomId} and v.event_type in ('handout.show', 'handout.hide')
     order by v.seq desc
     limit 1
  `
  if (event?.eventType !== 'handout.show') return undefined
  const { handoutId, endsAt } = event
  // The log may also contain events imported from elsewhere.
  if (!isUuid(handoutId)) return undefined
  const [handout] = await query<Handout[]>`${selection(query)} where id = ${handoutId}`
  return handout && { handout, endsAt, playback: await findPlayback(query, handout) }
}

async function findPlayback(
  query: Query,
  { id, roomId, contentType }: Handout,
): Promise<Shown['playback']> {
  if (contentType !== 'video') return null
  const [moved] = await query<{ positionSec: number; isPlaying: boolean; at: Date }[]>`
    select coalesce((payload ->> 'position_sec')::float8, 0) as "positionSec",
           coalesce((payload ->> 'is_playing')::boolean, false) as "isPlaying", created_at as at
      from room_events
     where room_id = ${roomId}
       and event_type in ('handout.show', 'handout.playback')
       and payload ->> 'handout_id' = ${id}
     order by seq desc
     limit 1
  `
  return moved ?? null
}
