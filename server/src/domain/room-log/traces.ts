import type { Query } from '../../platform/db/db.ts'

// Parts of statements on `room_events` that find the events about a person, by participant id or media identity.

/** True if a member of `payload` is one of these ids. */
export function namesOneOf(query: Query, whom: readonly string[]) {
  // Some events have no payload.
  return query`
    exists (select 1
              from jsonb_each_text(case when jsonb_typeof(payload) = 'object'
                                        then payload else '{}' end) member
             where member.value = any(${[...whom]}))
  `
}

/** True if the event is about a question that one of them asked. */
export function isOfQuestionBy(query: Query, roomId: string, whom: readonly string[]) {
  return query`
    payload ->> 'question_id' in (
      select q.payload ->> 'question_id'
        from room_events q
       where q.room_id = ${roomId} and q.event_type = 'question.added'
         and q.payload ->> 'identity' = any(${[...whom]}))
  `
}
