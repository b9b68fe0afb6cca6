import type { Fragment, Query, Tx } from '../../platform/db/db.ts'

export interface RoomMoment {
  /** Position in the room's logs: dense, in commit order. */
  seq: bigint
  /** Later than every earlier moment of the room. */
  at: Date
}

/**
 * Part of a statement: takes the next position of a room's logs, or the last of several, one millisecond apart. Returns
 * `seq` and `at`, and no row if the room has no clock or `where` is false.
 */
export function advancingClock(
  query: Query,
  roomId: string,
  { steps = 1, where = query`true` }: { steps?: 1 | 2; where?: Fragment } = {},
): Fragment {
  return query`
    update room_clocks
       set seq = seq + ${steps}::integer,
           at  = greatest(date_trunc('milliseconds', clock_timestamp()),
                          at + interval '1 millisecond')
                 + interval '1 millisecond' * (${steps}::integer - 1)
     where room_id = ${roomId} and ${where}
    returning seq, at
  `
}

/** Returns undefined when the room has no clock. */
export async function advanceClock(tx: Tx, roomId: string): Promise<RoomMoment | undefined> {
  const [moment] = await tx<RoomMoment[]>`${advancingClock(tx, roomId)}`
  return moment
}

/** The same for an entry, whose time comes from the provider. */
export async function advanceEntryClock(
  tx: Tx,
  roomId: string,
  { joinedAt, now }: { joinedAt: Date; now: Date },
): Promise<{ seq: bigint; enteredAt: Date } | undefined> {
  const [moment] = await tx<{ seq: bigint; enteredAt: Date }[]>`
    update room_clocks
       set seq        = seq + 1,
           entered_at = greatest(least(${joinedAt}::timestamptz, ${now}::timestamptz),
                                 entered_at + interval '1 millisecond')
     where room_id = ${roomId}
    returning seq, entered_at as "enteredAt"
  `
  return moment
}

/** Part of the statement that inserts a room: inserts its clock. `roomIds` is a query or a list of values. */
export function insertClocks(query: Query, roomIds: Fragment): Fragment {
  return query`insert into room_clocks (room_id) ${roomIds}`
}

/** The position of the newest row of the room's logs. */
export async function findPosition(query: Query, roomId: string): Promise<bigint> {
  const [row] = await query<{ seq: bigint }[]>`
    select seq from room_clocks where room_id = ${roomId}
  `
  if (row === undefined) throw new Error('room has no clock')
  return row.seq
}
