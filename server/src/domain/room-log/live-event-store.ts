import {
  type Db,
  type Fragment,
  hintAfterCommit,
  json,
  type Query,
  type Tx,
} from '../../platform/db/db.ts'
import { advancingClock, type RoomMoment } from './clock-store.ts'
import { LIVE_CHANNEL, type LiveEvent } from './live-event.ts'

export type NewLiveEvent = Omit<LiveEvent, 'seq' | 'createdAt'> & { roomId: string }

/** Part of a statement: appends an event at the moment (`seq`, `at`) of `from`, a list of tables. */
export function appendingLiveEvent(query: Query, event: NewLiveEvent, from: Fragment): Fragment {
  return query`
    insert into live_events (room_id, seq, name, roles, participant_id, admission_id, message_id,
                             payload, created_at)
    select ${event.roomId}::uuid, moment.seq, ${event.name}::text, ${[...event.roles]}::text[],
           ${event.participantId}::uuid, ${event.admissionId}::uuid, ${event.messageId}::uuid,
           ${json(event.payload)}::jsonb, moment.at
      from ${from}
  `
}

/** Hints to every process that has streams of the room open, once the transaction has published to them. */
export function hintAt(tx: Tx, roomId: string): void {
  hintAfterCommit(tx, { channel: LIVE_CHANNEL, payload: roomId })
}

/** The same as part of the last select of a statement that is a transaction of its own. */
export function hinting(query: Query, roomId: string): Fragment {
  return query`pg_notify(${LIVE_CHANNEL}, ${roomId})`
}

/** Appends at the next moment of the room, with a hint after the commit. Returns undefined when the room has no clock. */
export async function appendLiveEvent(
  tx: Tx,
  event: NewLiveEvent,
): Promise<RoomMoment | undefined> {
  const { roomId } = event
  const [moment] = await tx<RoomMoment[]>`
    with moment as (${advancingClock(tx, roomId)}),
         published as (${appendingLiveEvent(tx, event, tx`moment`)})
    select seq, at from moment
  `
  if (moment !== undefined) hintAt(tx, roomId)
  return moment
}

/** The events after this position, at most `limit`. */
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

/**
 * The position of the newest event of this name since the slot was last moved, with or without readers. Returns undefined
 * without such an event.
 */
export async function findPublished(
  query: Query,
  roomId: string,
  name: LiveEvent['name'],
): Promise<bigint | undefined> {
  const [event] = await query<{ seq: bigint }[]>`
    select seq
      from live_events
     where room_id = ${roomId} and name = ${name}
       and seq > all(select seq from live_events where room_id = ${roomId} and name = 'window')
     order by seq desc
     limit 1
  `
  return event?.seq
}

/** Deletes events that are too old to resume from. */
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
