import {
  type ConsentBasis,
  type ConsentPurpose,
  type ConsentTerms,
  consentTermsOf,
  type LastAnswers,
} from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query } from '../../platform/db/db.ts'
import { hasLiveEngine } from './live-engine-store.ts'
import { mayShareScreen } from './screen-permission-store.ts'

/** Part of a statement: a person's last answer in a room for a purpose (`given`, ...), or null. */
export function lastAnswerOf(
  query: Query,
  { roomId, identity }: { roomId: Fragment; identity: Fragment },
  purpose: ConsentPurpose,
): Fragment {
  // Answers from before purposes existed are about the recording.
  return query`
    (select substr(v.event_type, length('consent.') + 1)
       from room_events v
      where v.room_id = ${roomId}
        and v.event_type in ('consent.given', 'consent.declined', 'consent.withdrawn')
        and v.payload ->> 'identity' = ${identity}
        and coalesce(v.payload ->> 'purpose', 'recording') = ${purpose}
      order by v.seq desc
      limit 1)
  `
}

/** Part of a statement: true for a guest, who is asked for nothing. */
export function isGuest(
  query: Query,
  { roomId, identity }: { roomId: Fragment; identity: Fragment },
): Fragment {
  return query`
    exists (select from admissions g
             where g.room_id = ${roomId} and g.media_identity = ${identity}
               and g.guest_kind is not null)
  `
}

/** Part of a statement: the columns of `LastAnswers`. */
function answersOf(query: Query, whose: { roomId: Fragment; identity: Fragment }): Fragment {
  return query`
    ${lastAnswerOf(query, whose, 'recording')} as recording,
    ${lastAnswerOf(query, whose, 'observation')} as observation,
    ${lastAnswerOf(query, whose, 'transcription')} as transcription
  `
}

/** The last answer for each purpose; null without one. */
export async function findLastAnswers(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<LastAnswers> {
  const whose = { roomId: query`${roomId}::uuid`, identity: query`${mediaIdentity}::text` }
  const [row] = await query<LastAnswers[]>`
    select ${answersOf(query, whose)}
  `
  if (row === undefined) throw new Error('a query without a table answered no row')
  return row
}

/** The same, and if a moderator allows this person to share the screen. */
export async function findAnswersAndScreen(
  query: Query,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<LastAnswers & { mayShareScreen: boolean }> {
  const whose = { roomId: query`${roomId}::uuid`, identity: query`${mediaIdentity}::text` }
  const [row] = await query<(LastAnswers & { mayShareScreen: boolean })[]>`
    select ${answersOf(query, whose)},
           ${mayShareScreen(query, { roomId, identity: whose.identity })} as "mayShareScreen"
  `
  if (row === undefined) throw new Error('a query without a table answered no row')
  return row
}

/** Part of a statement: the columns of a `ConsentBasis`, from a room `r` of a tenant `t`. */
export function consentBasis(query: Query): Fragment {
  return query`
    r.archive_mode as "archiveMode", t.recording_consent as "recordingConsent",
    t.observation_consent as "observationConsent",
    (t.live_text <> 'off' and coalesce(r.live_text, 'staff') <> 'off' and ${hasLiveEngine(query)})
      as "isTranscribed",
    exists (select from recordings v
             where v.room_id = r.id and v.status in ('started', 'paused')) as "isRecording"
  `
}

/** The room's settings for consent. Returns undefined without such a room. */
export async function findConsentTerms(
  query: Query,
  roomId: string,
): Promise<ConsentTerms | undefined> {
  const [row] = await query<ConsentBasis[]>`
    select ${consentBasis(query)}
      from rooms r
      join tenants t on t.id = r.tenant_id
     where r.id = ${roomId}
  `
  return row && consentTermsOf(row)
}

/** About the recording, of everybody of these roles who is present, and of these identities. */
export async function listLastAnswers(
  query: Query,
  roomId: string,
  roles: readonly Role[],
  identities: readonly string[],
): Promise<{ identity: string; answer: LastAnswers['recording'] }[]> {
  const whose = { roomId: query`${roomId}::uuid`, identity: query`present.identity` }
  return query<{ identity: string; answer: LastAnswers['recording'] }[]>`
    select present.identity, ${lastAnswerOf(query, whose, 'recording')} as answer
      from (select e.media_identity as identity
              from entry_histories e
             where e.room_id = ${roomId}
               and e.left_at is null
               and e.role = any(${[...roles]})
             union
            select unnest(${[...identities]}::text[])) present
     where not ${isGuest(query, whose)}
     order by present.identity
  `
}

/** A panelist in a room where panelists are asked for consent to observation. */
export interface ObservedPanelist {
  identity: string
  answer: LastAnswers['observation']
  isPresent: boolean
  /** Admitted recently, but not connected since. */
  isExpected: boolean
}

/** Everybody who was ever admitted as a panelist, without guests. Empty if the room does not ask for consent to observation. */
export async function listObservedPanelists(
  query: Query,
  { roomId, expectedSec }: { roomId: string; expectedSec: number },
): Promise<ObservedPanelist[]> {
  const whose = { roomId: query`a.room_id`, identity: query`a.media_identity` }
  return query<ObservedPanelist[]>`
    select distinct on (a.media_identity) a.media_identity as identity,
           ${lastAnswerOf(query, whose, 'observation')} as answer,
           exists (select 1 from entry_histories e
                    where e.room_id = a.room_id and e.media_identity = a.media_identity
                      and e.left_at is null) as "isPresent",
           (a.removed_at is null
            and a.admitted_at > clock_timestamp() - make_interval(secs => ${expectedSec})
            and not exists (select 1 from entry_histories e
                             where e.room_id = a.room_id and e.media_identity = a.media_identity
                               and e.entered_at >= a.admitted_at)) as "isExpected"
      from admissions a
      join rooms r on r.id = a.room_id
      join tenants t on t.id = r.tenant_id
     where a.room_id = ${roomId}
       and a.role = 'panelist'
       and a.guest_kind is null
       and r.kind = 'interview'
       and t.observation_consent = 'required'
     order by a.media_identity, a.admitted_at desc
  `
}

/** The role of each connection, by its newest admission. Leaves out guests, whose rights are not ours. */
export async function listRolesOf(
  query: Query,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<{ identity: string; role: Role; answers: LastAnswers }[]> {
  const whose = { roomId: query`a.room_id`, identity: query`a.media_identity` }
  return query<{ identity: string; role: Role; answers: LastAnswers }[]>`
    select distinct on (a.media_identity) a.media_identity as identity, a.role,
           jsonb_build_object(
             'recording', ${lastAnswerOf(query, whose, 'recording')},
             'observation', ${lastAnswerOf(query, whose, 'observation')},
             'transcription', ${lastAnswerOf(query, whose, 'transcription')}) as answers
      from admissions a
     where a.room_id = ${roomId}
       and a.media_identity = any(${[...identities]})
       and a.guest_kind is null
     order by a.media_identity, a.admitted_at desc
  `
}
