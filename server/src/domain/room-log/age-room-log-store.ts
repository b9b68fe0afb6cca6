import type { Fragment, Query, Tx } from '../../platform/db/db.ts'

/** Moves the events of these rooms into the past, and the moments that markers mark. */
export async function ageRoomLog(
  tx: Tx,
  { roomIds, seconds }: { roomIds: readonly string[]; seconds: number },
): Promise<void> {
  await tx`
    update room_events
       set created_at = created_at - make_interval(secs => ${seconds}),
           payload = case when payload ? 'marked_at'
                          then payload || jsonb_build_object('marked_at', to_char(
                                 (payload ->> 'marked_at')::timestamptz at time zone 'UTC'
                                   - make_interval(secs => ${seconds}),
                                 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                          else payload end
     where room_id = any(${[...roomIds]}::uuid[])
  `
}

/** The rows after one position of the room's logs, up to another, and their time. */
export interface PastMoment {
  after: bigint
  until: bigint
  at: Date
}

/** Gives the events of a room other times, in their order: one millisecond apart at each moment. */
export async function placeEventsInPast(
  tx: Tx,
  roomId: string,
  moments: readonly PastMoment[],
): Promise<void> {
  await tx`
    update room_events e
       set created_at = m.at + (e.seq - m.after - 1) * interval '1 millisecond'
      from (${selectMoments(tx, moments)}) as m
     where e.room_id = ${roomId} and e.seq > m.after and e.seq <= m.until
  `
}

/** The moments as rows: `after`, `until` and `at`. */
export function selectMoments(query: Query, moments: readonly PastMoment[]): Fragment {
  const after = moments.map((moment) => String(moment.after))
  const until = moments.map((moment) => String(moment.until))
  const at = moments.map((moment) => moment.at)
  return query`
    select after, until, at
      from unnest(${after}::bigint[], ${until}::bigint[], ${at}::timestamptz[]) as m (after, until, at)
  `
}
