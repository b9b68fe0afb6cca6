import type { RespondentTest } from '@interview-room/contract/connection-tests.ts'
import type { Query } from '../../platform/db/db.ts'

/** An interview has one respondent or a few. Further ones are left out. */
const RESPONDENTS_MAX = 20

/**
 * Part of a query on participants: the newest result of the connection tests that the tenant started for the participant's
 * external reference.
 */
export function lastTestOf(query: Query, participantId: ReturnType<Query>) {
  return query`
    select json_build_object(
             'status', t.status,
             'completed_at', to_char(t.completed_at at time zone 'UTC',
                                     'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'failure_reason', t.failure_reason,
             'mos', t.summary -> 'audio' -> 'mos',
             'recommended_resolution', t.summary -> 'video' -> 'recommended_resolution',
             'recommended_frame_rate', t.summary -> 'video' -> 'recommended_frame_rate',
             'warnings', coalesce(t.summary -> 'warnings', '[]'))
      from participants p
      join rooms r on r.id = p.room_id
      join connection_tests t on t.tenant_id = r.tenant_id
                             and t.external_type = p.external_type
                             and t.external_id = p.external_id
     where p.id = ${participantId}
       and t.status in ('completed', 'failed')
     order by t.completed_at desc, t.id desc
     limit 1
  `
}

/** The respondents who have been in this room, in order of arrival, with their newest result. */
export async function listRespondentTests(query: Query, roomId: string): Promise<RespondentTest[]> {
  return query<RespondentTest[]>`
    select seen.participant_id, seen.display_name, (${lastTestOf(query, query`seen.participant_id`)}) as last_test
      from (select distinct on (participant_id)
                   participant_id, display_name, role, admitted_at
              from admissions
             where room_id = ${roomId} and participant_id is not null
             order by participant_id, admitted_at desc) seen
     where seen.role = 'panelist'
     order by seen.admitted_at
     limit ${RESPONDENTS_MAX}
  `
}
