import type { Person } from '@interview-room/contract/live-stream.ts'
import { lastTestOf } from '../connection-tests/last-test.ts'
import { type Db, json, type Query, type Tx } from '../db/db.ts'
import type { LiveEvent } from './live-event.ts'

export async function insertLiveEvent(
  tx: Tx,
  event: LiveEvent & { roomId: string },
): Promise<void> {
  await tx`
    insert into live_events (room_id, seq, name, roles, participant_id, admission_id, message_id,
                             payload, created_at)
    values (${event.roomId}, ${event.seq}, ${event.name}, ${[...event.roles]},
            ${event.participantId}, ${event.admissionId}, ${event.messageId},
            ${json(event.payload)}, ${event.createdAt})
  `
}

/** What was told behind this place, at most `limit` events. */
export async function listLiveEvents(
  query: Query,
  { roomId, after, limit }: { roomId: string; after: bigint; limit: number },
): Promise<LiveEvent[]> {
  return query<LiveEvent[]>`
    select seq, name, roles, participant_id as "participantId", admission_id as "admissionId",
           message_id as "messageId", payload, created_at as "createdAt"
      from live_events
     where room_id = ${roomId} and seq > ${after}
     order by seq
     limit ${limit}
  `
}

/** Whether an event of this name was told, whoever was there to hear it. */
export async function wasTold(
  query: Query,
  roomId: string,
  name: LiveEvent['name'],
): Promise<boolean> {
  const rows = await query`select 1 from live_events where room_id = ${roomId} and name = ${name}`
  return rows.length > 0
}

/** The place of the newest row of the room's logs. */
export async function findPosition(query: Query, roomId: string): Promise<bigint> {
  const [row] = await query<{ seq: bigint }[]>`
    select seq from room_clocks where room_id = ${roomId}
  `
  if (row === undefined) throw new Error('room has no clock')
  return row.seq
}

/** Everybody with an open entry, one row a person, in the order of coming. */
export async function listPeople(query: Query, roomId: string): Promise<Person[]> {
  return query<Person[]>`
    select e.participant_id, e.media_identity as identity, e.role, max(e.name) as display_name,
           coalesce((select v.event_type = 'hand.raised'
                       from room_events v
                      where v.room_id = ${roomId}
                        and v.event_type in ('hand.raised', 'hand.lowered')
                        and v.payload ->> 'identity' = e.media_identity
                      order by v.seq desc
                      limit 1), false) as has_hand_raised,
           (${lastTestOf(query, query`e.participant_id`)}) as last_test,
           (select a.line
              from admissions a
             where a.room_id = ${roomId} and a.media_identity = e.media_identity
             order by a.admitted_at desc
             limit 1) as line
      from entry_histories e
     where e.room_id = ${roomId} and e.left_at is null
     group by e.participant_id, e.media_identity, e.role
     order by min(e.seq)
  `
}

/** Removes what is too old to be resumed from. */
export async function deleteOldEvents(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { count } = await db`
    delete from live_events
     where ctid = any(array(
             select ctid from live_events
              where created_at < ${before}
              order by created_at
              limit ${limit}))
  `
  return count
}
