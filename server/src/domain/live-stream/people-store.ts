import {
  type ConsentStates,
  consentStatesOf,
  type LastAnswers,
} from '@interview-room/contract/consent-rules.ts'
import type { Person } from '@interview-room/contract/live-stream.ts'
import { type Query, together } from '../../platform/db/db.ts'
import { lastTestOf } from '../connection-tests/last-test.ts'
import { isGuest, lastAnswerOf, readConsentTerms } from '../people/find-consent.ts'
import { hasHandRaised, mayShareScreen } from '../people/read-people.ts'

const ASKED_FOR_NOTHING: ConsentStates = { recording: 'not_asked', observation: 'not_asked' }

/** Everybody with an open entry, one row per person, in order of arrival. */
export async function listPeople(query: Query, roomId: string): Promise<Person[]> {
  const [terms, rows] = await together([
    readConsentTerms(query, roomId),
    listPresent(query, roomId),
  ])
  return rows.map((row) => {
    const { recording, observation, transcription, may_share_screen, is_guest, ...person } = row
    if (person.role !== 'panelist') return person
    if (is_guest) return { ...person, consents: ASKED_FOR_NOTHING }
    const answers = { recording, observation, transcription: transcription ?? null }
    const consents = consentStatesOf(terms, person.role, answers)
    return { ...person, may_share_screen, consents }
  })
}

type PresentRow = Omit<Person, 'consents' | 'may_share_screen'> &
  LastAnswers & { may_share_screen: boolean; is_guest: boolean }

async function listPresent(query: Query, roomId: string): Promise<PresentRow[]> {
  const whose = { roomId: query`${roomId}::uuid`, identity: query`e.media_identity` }
  return query<PresentRow[]>`
    select e.participant_id, e.media_identity as identity, e.role, max(e.name) as display_name,
           ${hasHandRaised(query, { roomId, identity: whose.identity })} as has_hand_raised,
           ${mayShareScreen(query, { roomId, identity: whose.identity })} as may_share_screen,
           ${isGuest(query, whose)} as is_guest,
           ${lastAnswerOf(query, whose, 'recording')} as recording,
           ${lastAnswerOf(query, whose, 'observation')} as observation,
           ${lastAnswerOf(query, whose, 'transcription')} as transcription,
           (${lastTestOf(query, query`e.participant_id`)}) as last_test,
           a.line, coalesce(a.is_microphone_silent, false) as is_microphone_silent
      from entry_histories e
      left join lateral (select line, is_microphone_silent
                           from admissions
                          where room_id = e.room_id and media_identity = e.media_identity
                          order by admitted_at desc
                          limit 1) a on true
     where e.room_id = ${roomId} and e.left_at is null
     group by e.participant_id, e.media_identity, e.role, a.line, a.is_microphone_silent
     order by min(e.seq)
  `
}
