import type { Activity } from '@interview-room/composer/activity.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { json, type Query, type Tx } from '../../../platform/db/db.ts'

/** Stores who speaks when in the file of a recording, in place of what an earlier attempt measured. */
export async function upsertActivities(
  query: Query,
  recordingId: string,
  activities: readonly Activity[],
): Promise<void> {
  await query`
    insert into recording_activities (recording_id, people)
    select id, ${json(activities)}::jsonb from recordings where id = ${recordingId}
    on conflict (recording_id) do update set people = excluded.people
  `
}

/** One person's activity, with who they are. */
export interface PersonActivity extends Pick<Activity, 'speech' | 'levels'> {
  participantId: string | null
  role: Role
  displayName: string
}

/** Moderators, then panelists, each by their first entry. Empty if nothing was measured. */
export async function listActivities(query: Query, recordingId: string): Promise<PersonActivity[]> {
  return query<PersonActivity[]>`
    select first.participant_id as "participantId", first.role, first.name as "displayName",
           person -> 'speech' as speech, person -> 'levels' as levels
      from recording_activities a
      join recordings r on r.id = a.recording_id
     cross join jsonb_array_elements(a.people) as person
     cross join lateral (select participant_id, role, name, seq
                           from entry_histories e
                          where e.room_id = r.room_id
                            and e.media_identity = person ->> 'identity'
                            and e.role in ('moderator', 'panelist')
                          order by seq
                          limit 1) as first
     where a.recording_id = ${recordingId}
     order by first.role, first.seq
  `
}

export async function deleteActivitiesOf(tx: Tx, recordingId: string): Promise<void> {
  await tx`delete from recording_activities where recording_id = ${recordingId}`
}
