import type { Tx } from '../../platform/db/db.ts'
import { isOfQuestionBy, namesOneOf } from './traces.ts'

/** The person to remove from a room's logs, by participant id, which is also the media identity. */
export interface TracesInLog {
  roomId: string
  identities: readonly string[]
  /** Messages that the person sent. */
  messageIds: readonly string[]
}

/**
 * Deletes the events that the person wrote or that are about them, with the later events of their questions. Returns the
 * number of deleted events. Other events, such as who opened a recording, are kept without the name and without text by the
 * person, such as the reason of a ban.
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

/** Deletes live events that are about the person. */
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
