import type { Tx } from '../../platform/db/db.ts'
import { type PastMoment, selectMoments } from '../room-log/age-room-log-store.ts'

/** Moves the messages of these rooms into the past. */
export async function ageMessages(
  tx: Tx,
  { roomIds, seconds }: { roomIds: readonly string[]; seconds: number },
): Promise<void> {
  await tx`
    update chat_messages
       set created_at = created_at - make_interval(secs => ${seconds})
     where room_id = any(${[...roomIds]}::uuid[])
  `
}

/** Gives the messages of a room other times, in their order: one millisecond apart at each moment. */
export async function placeMessagesInPast(
  tx: Tx,
  roomId: string,
  moments: readonly PastMoment[],
): Promise<void> {
  await tx`
    update chat_messages c
       set created_at = m.at + (c.seq - m.after - 1) * interval '1 millisecond'
      from (${selectMoments(tx, moments)}) as m
     where c.room_id = ${roomId} and c.seq > m.after and c.seq <= m.until
  `
}
