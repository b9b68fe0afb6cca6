import type { QuestionStatus } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../platform/db/db.ts'

/** A question as it stands in the room's log. */
export interface Question {
  id: string
  text: string
  status: QuestionStatus
  participantId: string | null
  /** Media identity of the person who added it. */
  identity: string
  displayName: string
  createdAt: Date
}

/** The columns of a question, from `v`, the event that added it. */
function columns(query: Query): Fragment {
  return query`
    v.payload ->> 'question_id' as id, v.payload ->> 'text' as text,
    v.payload ->> 'participant_id' as "participantId", v.payload ->> 'identity' as identity,
    v.payload ->> 'display_name' as "displayName", v.created_at as "createdAt",
    coalesce((select c.payload ->> 'status'
                from room_events c
               where c.room_id = v.room_id
                 and c.event_type = 'question.changed'
                 and c.payload ->> 'question_id' = v.payload ->> 'question_id'
               order by c.seq desc
               limit 1), 'open') as status
  `
}

export async function findQuestion(
  query: Query,
  { roomId, id }: { roomId: string; id: string },
): Promise<Question | undefined> {
  const [row] = await query<Question[]>`
    select ${columns(query)}
      from room_events v
     where v.room_id = ${roomId}
       and v.event_type = 'question.added'
       and v.payload ->> 'question_id' = ${id}
     limit 1
  `
  return row
}

/** Newest first. */
export async function listNewestQuestions(
  query: Query,
  roomId: string,
  limit: number,
): Promise<Question[]> {
  return query<Question[]>`
    select ${columns(query)}
      from room_events v
     where v.room_id = ${roomId}
       and v.event_type = 'question.added'
     order by v.seq desc
     limit ${limit}
  `
}

/** Number of questions that this person added in the minute before `until`, and the time of the first. */
export async function countNewestQuestions(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
  until: Date,
): Promise<{ count: number; first: Date }> {
  const [row] = await query<{ count: number; first: Date | null }[]>`
    select count(*)::integer as count, min(created_at) as first
      from room_events
     where room_id = ${roomId}
       and event_type = 'question.added'
       and payload ->> 'identity' = ${mediaIdentity}
       and created_at > ${until}::timestamptz - interval '1 minute'
  `
  return { count: row?.count ?? 0, first: row?.first ?? until }
}
