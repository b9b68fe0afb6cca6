import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import {
  type ConsentStates,
  consentStatesOf,
  type ConsentTerms,
  hasDeclinedToEnter,
  isRefused,
  NO_ANSWERS,
} from '@interview-room/contract/consent-rules.ts'
import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { type Query, together } from '../../platform/db/db.ts'
import { refuseField } from '../../platform/lib/service-error.ts'
import {
  findConsentTerms,
  findLastAnswers,
  listLastAnswers,
  listObservedPanelists,
} from './consent-store.ts'
import { type Observation, observationOf } from './observation.ts'

export { isGuest, lastAnswerOf } from './consent-store.ts'

const ASKED_ROLES: readonly Role[] = ROLES.filter((role) => CAPABILITIES[role].isAskedForConsent)

interface AskedPerson {
  roomId: string
  mediaIdentity: string
  role: Role
}

/** The person's consent for each purpose. */
export async function findConsents(
  query: Query,
  person: AskedPerson,
  terms: ConsentTerms,
): Promise<ConsentStates> {
  const isAsked = CAPABILITIES[person.role].isAskedForConsent
  const answers = isAsked ? await findLastAnswers(query, person) : NO_ANSWERS
  return consentStatesOf(terms, person.role, answers)
}

/**
 * Throws 422 VALIDATION_ERROR, CONSENT_REQUIRED for a person whose answer excludes them from the room. With the lock of the
 * room, no answer can arrive in between.
 */
export async function refuseUnlessTakingPart(query: Query, person: AskedPerson): Promise<void> {
  if (!CAPABILITIES[person.role].isAskedForConsent) return
  const [terms, answers] = await together([
    readConsentTerms(query, person.roomId),
    findLastAnswers(query, person),
  ])
  if (!hasDeclinedToEnter(terms, consentStatesOf(terms, person.role, answers))) return
  throw refuseField('VALIDATION_ERROR', {
    field: `participants.${person.mediaIdentity}`,
    code: 'CONSENT_REQUIRED',
    message: 'has not agreed to be recorded',
  })
}

/** The room's settings for consent. Throws without such a room. */
export async function readConsentTerms(query: Query, roomId: string): Promise<ConsentTerms> {
  const terms = await findConsentTerms(query, roomId)
  if (terms === undefined) throw new Error('there is no such room')
  return terms
}

/** Present people who have not consented to the recording, by media identity. */
export interface OpenConsents {
  /** Not answered yet, or refused. */
  missing: string[]
  /** Declined or withdrawn. */
  refused: string[]
}

/** @param present people to check besides those whose entry is known. */
export async function findOpenConsents(
  query: Query,
  roomId: string,
  present: readonly { mediaIdentity: string; role: Role }[] = [],
): Promise<OpenConsents> {
  const asked = present.filter(({ role }) => CAPABILITIES[role].isAskedForConsent)
  const identities = asked.map(({ mediaIdentity }) => mediaIdentity)
  const [terms, rows] = await together([
    findConsentTerms(query, roomId),
    listLastAnswers(query, roomId, ASKED_ROLES, identities),
  ])
  if (terms?.recording === 'obtained') return { missing: [], refused: [] }
  const missing = rows.filter(({ answer }) => answer !== 'given')
  return {
    missing: missing.map(({ identity }) => identity),
    refused: missing
      .filter(({ answer }) => isRefused(answer ?? 'pending'))
      .map((each) => each.identity),
  }
}

/**
 * The part of the room that observers may receive now. They receive everything if the room does not ask for consent to
 * observation.
 */
export async function findObservation(
  query: Query,
  roomId: string,
  { observation }: ConsentTerms,
): Promise<Observation> {
  if (observation !== 'required') return { isOpen: true, withheld: [] }
  const expectedSec = ROOM_TICKET_LIFE_SEC
  return observationOf(await listObservedPanelists(query, { roomId, expectedSec }))
}
