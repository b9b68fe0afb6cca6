import type { TimelineType } from '@interview-room/contract/room-events.ts'
import { json, type Query, type Tx } from '../../platform/db/db.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import { advancingClock, type RoomMoment } from './clock-store.ts'
import { isOfQuestionBy, namesOneOf } from './traces.ts'

/** The payload of a room event: a flat object. */
type RoomEventPayload = Record<string, string | number | boolean | null>

export interface NewRoomEvent {
  tenantId: string
  roomId: string
  eventType: TimelineType
  payload: RoomEventPayload | null
}

export interface RoomEvent {
  id: bigint
  roomId: string
  seq: bigint
  eventType: string
  payload: RoomEventPayload | null
  createdAt: Date
}

/** Appends at the next moment of the room. Returns undefined when the room has no clock. */
export async function appendEvent(
  tx: Tx,
  { tenantId, roomId, eventType, payload }: NewRoomEvent,
): Promise<RoomMoment | undefined> {
  const [moment] = await tx<RoomMoment[]>`
    with moment as (${advancingClock(tx, roomId)}),
         noted as (
           insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
           select ${tenantId}::uuid, ${roomId}::uuid, moment.seq, ${eventType}::text,
                  ${json(payload)}::jsonb, moment.at
             from moment
         )
    select seq, at from moment
  `
  return moment
}

export async function hasRoomEvent(
  query: Query,
  { roomId, eventType, after }: { roomId: string; eventType: string; after?: bigint },
): Promise<boolean> {
  const rows = await query`
    select 1 from room_events
     where room_id = ${roomId} and event_type = ${eventType}
       ${after === undefined ? query`` : query`and seq > ${after}`}
  `
  return rows.length > 0
}

export interface RoomEventList extends PageRequest {
  roomId: string
  eventType: string | undefined
  /** Only events that name one of these people, by participant id, and the later events of their questions. */
  about?: readonly string[]
}

/** Oldest first. Reads one more than the limit to see whether there are more. */
export async function listRoomEvents(
  query: Query,
  { roomId, eventType, about, after, limit }: RoomEventList,
): Promise<RoomEvent[]> {
  return query<RoomEvent[]>`
    select id, room_id as "roomId", seq, event_type as "eventType", payload,
           created_at as "createdAt"
      from room_events
     where room_id = ${roomId}
       and seq > ${after ?? '0'}::bigint
       ${eventType === undefined ? query`` : query`and event_type = ${eventType}`}
       ${about === undefined ? query`` : query`and (${namesOneOf(query, about)} or ${isOfQuestionBy(query, roomId, about)})`}
     order by seq
     limit ${limit + 1}
  `
}

function person(query: Query) {
  return query`jsonb_build_object('participant_id', participant_id, 'role', role, 'display_name', name)`
}

/** A room event at the moment that it is about. A marker may be set later than that moment. */
export interface MomentOfRoom {
  seq: bigint
  eventType: string
  payload: RoomEventPayload | null
  at: Date
}

interface MomentsBetween {
  roomId: string
  spans: readonly { fromMs: number; toMs: number }[]
  /** Only events of these types that are not private. Undefined for all. */
  types: readonly TimelineType[] | undefined
  /** Continue after this event. */
  after: Pick<MomentOfRoom, 'at' | 'seq'> | undefined
  limit: PageRequest['limit']
}

/**
 * The room events, entries and chat messages within these time spans, oldest first. Reads one more than the limit. A person
 * who left at the moment of the entry is only listed as entered: both have the same place in the room's clock.
 */
export async function listEventsBetween(
  query: Query,
  { roomId, spans, types, after, limit }: MomentsBetween,
): Promise<MomentOfRoom[]> {
  const from = spans.map(({ fromMs }) => new Date(fromMs))
  const to = spans.map(({ toMs }) => new Date(toMs))
  const behind =
    after === undefined
      ? query``
      : query`and (m.at, m.seq) > (${after.at}::timestamptz, ${after.seq}::bigint)`
  const visible =
    types === undefined
      ? query``
      : query`and "eventType" = any(${[...types]}) and payload -> 'is_private' is distinct from 'true'
              and coalesce(payload ->> 'visibility', 'public') = 'public'`
  return query<MomentOfRoom[]>`
    with moments as (
      select seq, event_type as "eventType", payload,
             coalesce(case when event_type = 'marker'
                           then (payload ->> 'marked_at')::timestamptz end, created_at) as at
        from room_events
       where room_id = ${roomId}
       union all
      select seq, 'participant.entered', ${person(query)}, entered_at
        from entry_histories
       where room_id = ${roomId}
       union all
      select seq, 'participant.left', ${person(query)}, left_at
        from entry_histories
       where room_id = ${roomId} and left_at > entered_at
       union all
      select seq, 'chat.message',
             jsonb_build_object('message_id', id, 'visibility', visibility,
                                'participant_id', participant_id, 'sender_name', sender_name,
                                'content_type', content_type, 'text', text,
                                'file_name', attachment_name), created_at
        from chat_messages
       where room_id = ${roomId} and content_type <> 'archive_status'
    )
    select seq, "eventType", payload, at
      from moments m
     where exists (select 1
                     from unnest(${from}::timestamptz[], ${to}::timestamptz[]) as s (began_at, ended_at)
                    where m.at between s.began_at and s.ended_at)
       ${behind} ${visible}
     order by m.at, m.seq
     limit ${limit + 1}
  `
}
