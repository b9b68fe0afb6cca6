import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import {
  type ConsentStates,
  consentStatesOf,
  type ConsentTerms,
  isAgreed,
  NO_ANSWERS,
} from '@interview-room/contract/consent-rules.ts'
import { type Query, together } from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import {
  ALL_RIGHTS,
  type MediaConnection,
  MediaError,
  type MediaRights,
} from '../../platform/ports/media.ts'
import { findAnswersAndScreen, findConsentTerms, listRolesOf } from './consent-store.ts'
import { findObservation } from './find-consent.ts'
import {
  dependsOnConsent,
  isSameRights,
  mayDependOnConsent,
  mediaRightsOf,
} from './media-rights.ts'
import { hasScreenDecision, listScreenSharers } from './present-store.ts'
import type { TicketHolder } from './ticket.ts'

type RightsDeps = Pick<Deps, 'db' | 'media'>

export const UPDATE_MEDIA_RIGHTS = 'update-media-rights'
/** A concurrent call may change the rights at the same time, so the last one checks again. */
const ROUNDS_MAX = 5

type RightsHolder = Pick<TicketHolder, 'roomId' | 'mediaIdentity' | 'role'>

/** The rights that a token for the media room gets now. */
export async function findMediaRights(
  query: Query,
  holder: RightsHolder,
  terms: ConsentTerms,
): Promise<MediaRights> {
  const { rights } = await findConsentsAndRights(query, holder, terms)
  return rights
}

/** The same, with the person's consent. */
export async function findConsentsAndRights(
  query: Query,
  { role, roomId, mediaIdentity }: RightsHolder,
  terms: ConsentTerms,
): Promise<{ consents: ConsentStates; rights: MediaRights }> {
  // Staff answer nothing, and need nobody to allow their screens.
  const isAsked = CAPABILITIES[role].isAskedForConsent
  const [{ mayShareScreen, ...answers }, { isOpen }] = await together([
    isAsked ? findAnswersAndScreen(query, { roomId, mediaIdentity }) : NOTHING_KNOWN,
    findObservation(query, roomId, terms),
  ])
  const consents = consentStatesOf(terms, role, answers)
  const rights = dependsOnConsent(terms)
    ? mediaRightsOf(terms, { role, consents, mayShareScreen }, isOpen)
    : { ...ALL_RIGHTS, ...(mayShareScreen && { mayShareScreen }) }
  return { consents, rights }
}

const NOTHING_KNOWN = Promise.resolve({ ...NO_ANSWERS, mayShareScreen: false })

/**
 * Updates the rights of every connection to the consents given and the moderators' decisions. A repeat changes nothing.
 * Throws `MediaError`.
 */
export async function updateMediaRights({ db, media }: RightsDeps, roomId: string): Promise<void> {
  if (!(await dependsOnAnything(db, roomId))) return
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const people = ((await media.listConnections(roomId)) ?? []).filter(({ isPerson }) => isPerson)
    // Read again in each round, because a recording may begin or end meanwhile.
    const terms = await findConsentTerms(db, roomId)
    if (terms === undefined) return
    const changes = await changesOf(db, roomId, terms, people)
    if (changes.length === 0) return
    // Withdraw rights before granting any. Run each batch in parallel: otherwise the total time would reveal the number of
    // observers.
    for (const isLess of [true, false]) {
      const some = changes.filter((change) => change.isLess === isLess)
      await Promise.all(some.map((change) => media.updateRights(roomId, change)))
    }
  }
}

/** If false, everybody has the rights of their role. */
async function dependsOnAnything(query: Query, roomId: string): Promise<boolean> {
  const terms = await findConsentTerms(query, roomId)
  if (terms === undefined) return false
  return mayDependOnConsent(terms) || hasScreenDecision(query, roomId)
}

/** Runs right after a commit, so that nobody waits for the job. The job repeats a failed attempt. */
export async function updateMediaRightsNow(
  { db, media, log }: RightsDeps & Pick<Deps, 'log'>,
  roomId: string,
): Promise<void> {
  try {
    await updateMediaRights({ db, media }, roomId)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, room: roomId }, 'changing media permissions failed, will be retried')
  }
}

/** Call it in the transaction that changes who is present or what somebody has agreed to. */
export async function requestMediaRights(
  tx: Query,
  roomId: string,
  terms: ConsentTerms | undefined,
): Promise<void> {
  if (terms !== undefined && dependsOnConsent(terms)) await enqueueUpdate(tx, roomId)
}

/**
 * Call it in the transaction that records an arrival. A person may reconnect with a token from before a decision made in
 * their absence, even if no rights depend on consent any more.
 */
export async function requestRightsOfArrival(
  tx: Query,
  roomId: string,
  terms: ConsentTerms,
): Promise<void> {
  if (mayDependOnConsent(terms) || (await hasScreenDecision(tx, roomId))) {
    await enqueueUpdate(tx, roomId)
  }
}

/** Call it in the transaction that ends a recording: people who had not agreed to it may publish again. */
export async function requestRightsAfterRecording(tx: Query, roomId: string): Promise<void> {
  const terms = await findConsentTerms(tx, roomId)
  if (terms?.recording === 'optional') await enqueueUpdate(tx, roomId)
}

async function enqueueUpdate(tx: Query, roomId: string): Promise<void> {
  await enqueue(tx, { kind: UPDATE_MEDIA_RIGHTS, key: roomId })
}

/** People whose rights are to change, and if they have fewer afterwards. */
async function changesOf(
  query: Query,
  roomId: string,
  terms: ConsentTerms,
  people: readonly MediaConnection[],
) {
  const identities = people.map(({ identity }) => identity)
  const sharers = await listScreenSharers(query, roomId)
  const known = (await listRolesOf(query, { roomId, identities })).map(
    ({ identity, role, answers }) => ({
      identity,
      role,
      consents: consentStatesOf(terms, role, answers),
      mayShareScreen: sharers.has(identity),
    }),
  )
  const observation = await findObservation(query, roomId, terms)
  // Somebody may be connected whose entry is not stored yet.
  const isOpen = observation.isOpen && known.every(({ consents }) => isAgreed(consents.observation))
  const current = new Map(people.map(({ identity, rights }) => [identity, rights]))
  return known
    .map((person) => {
      const rights = mediaRightsOf(terms, person, isOpen)
      const before = current.get(person.identity) ?? rights
      return { ...person, rights, before, isLess: isLess(rights, before) }
    })
    .filter(({ role, rights, before }) => !isSameRights(role, rights, before))
}

const RIGHTS = ['mayPublish', 'mayReceive', 'mayShareScreen'] as const

/** True if a right is withdrawn. */
function isLess(rights: MediaRights, before: MediaRights): boolean {
  return RIGHTS.some((right) => before[right] === true && rights[right] !== true)
}
