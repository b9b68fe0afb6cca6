import type { Tx } from '../../platform/db/db.ts'
import { isOfQuestionBy, namesOneOf } from './traces.ts'

/** Whom to take out of a room's logs: by participant id, which is also the media identity. */
export interface TracesInLog {
  roomId: string
  identities: readonly string[]
  /** Messages of theirs. */
  messageIds: readonly string[]
}

/**
 * Deletes what somebody wrote into a room's log or what is about them, with what became of their questions;
 * answers how much. Elsewhere, as in who opened a recording, they become nobody; what they wrote there, the reason of a
 * ban, goes.
 */
export async function eraseRoomEvents(
  tx: Tx,
  { roomId, identities }: Pick<TracesInLog, 'roomId' | 'identities'>,
): Promise<number> {
  const whom = [...identities]
  const { count } = await tx`
    delete from room_events v
     where v.room_id = ${roomId}
       and (v.payload ->> 'participant_id' = any(${whom})
            or v.payload ->> 'identity' = any(${whom})
            or ${isOfQuestionBy(tx, roomId, whom)})
  `
  await tx`
    update room_events v
       set payload = (select jsonb_object_agg(
                               m.key, case when m.value #>> '{}' = any(${whom}) then 'null'::jsonb
                                           when m.key = 'reason' and v.payload ->> 'by' = any(${whom})
                                           then 'null'::jsonb
                                           else m.value end)
                        from jsonb_each(v.payload) m)
     where v.room_id = ${roomId} and ${namesOneOf(tx, whom)}
  `
  return count
}

/** Deletes what the live stream of a room had to tell of them. */
export async function eraseLiveEvents(
  tx: Tx,
  { roomId, identities, messageIds }: TracesInLog,
): Promise<void> {
  await tx`
    delete from live_events l
     where l.room_id = ${roomId}
       and (l.participant_id::text = any(${[...identities]})
            or l.message_id = any(${[...messageIds]}::uuid[])
            or l.admission_id in (select a.id from admissions a
                                   where a.room_id = ${roomId}
                                     and a.media_identity = any(${[...identities]}))
            or exists (select 1 from unnest(${[...identities]}::text[]) who
                        where position(who in l.payload::text) > 0))
  `
}
