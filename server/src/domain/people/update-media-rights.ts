import {
  type ConsentStates,
  consentStatesOf,
  type ConsentTerms,
  isAgreed,
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
import { findConsentTerms, listRolesOf } from './consent-store.ts'
import { findConsents, findObservation } from './find-consent.ts'
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
/** Another call may be changing them at the same time: the last one checks again. */
const ROUNDS_MAX = 5

type RightsHolder = Pick<TicketHolder, 'roomId' | 'mediaIdentity' | 'role'>

/** What a token for the media room is to allow now. */
export async function findMediaRights(
  query: Query,
  holder: RightsHolder,
  terms: ConsentTerms,
): Promise<MediaRights> {
  const consents = dependsOnConsent(terms) ? findConsents(query, holder, terms) : NOT_NEEDED
  return rightsBy(query, holder, { terms, consents })
}

/** The same, with how it stands with the consent of the person. */
export async function findConsentsAndRights(
  query: Query,
  holder: RightsHolder,
  terms: ConsentTerms,
): Promise<{ consents: ConsentStates; rights: MediaRights }> {
  const asked = findConsents(query, holder, terms)
  const [consents, rights] = await together([
    asked,
    rightsBy(query, holder, { terms, consents: dependsOnConsent(terms) ? asked : NOT_NEEDED }),
  ])
  return { consents, rights }
}

interface KnownConsents {
  terms: ConsentTerms
  /** Undefined where nothing depends on them. */
  consents: Promise<ConsentStates | undefined>
}

const NOT_NEEDED = Promise.resolve(undefined)
const NOBODY: ReadonlySet<string> = new Set()

async function rightsBy(
  query: Query,
  { role, roomId, mediaIdentity }: RightsHolder,
  { terms, ...known }: KnownConsents,
): Promise<MediaRights> {
  const [sharers, consents, { isOpen }] = await together([
    role === 'panelist' ? listScreenSharers(query, roomId) : Promise.resolve(NOBODY),
    known.consents,
    findObservation(query, roomId, terms),
  ])
  const mayShareScreen = sharers.has(mediaIdentity)
  if (consents === undefined) return { ...ALL_RIGHTS, ...(mayShareScreen && { mayShareScreen }) }
  return mediaRightsOf(terms, { role, consents, mayShareScreen }, isOpen)
}

/**
 * Brings the rights of everybody who is connected to where consent and moderators have them. Repeating it changes
 * nothing. Throws `MediaError`.
 */
export async function updateMediaRights({ db, media }: RightsDeps, roomId: string): Promise<void> {
  if (!(await dependsOnAnything(db, roomId))) return
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const people = ((await media.listConnections(roomId)) ?? []).filter(({ isPerson }) => isPerson)
    // Each time: a recording may begin or end meanwhile.
    const terms = await findConsentTerms(db, roomId)
    if (terms === undefined) return
    const changes = await changesOf(db, roomId, terms, people)
    if (changes.length === 0) return
    // What is taken comes before what is given. Not one after the other: the time of it all would say how many observe.
    for (const isLess of [true, false]) {
      const some = changes.filter((change) => change.isLess === isLess)
      await Promise.all(some.map((change) => media.updateRights(roomId, change)))
    }
  }
}

/** Else all have what their role allows. */
async function dependsOnAnything(query: Query, roomId: string): Promise<boolean> {
  const terms = await findConsentTerms(query, roomId)
  if (terms === undefined) return false
  return mayDependOnConsent(terms) || hasScreenDecision(query, roomId)
}

/** Right after a commit, so that nobody waits for the job, which repeats what fails. */
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

/** In the transaction that changes who is present, or what somebody has agreed to. */
export async function requestMediaRights(
  tx: Query,
  roomId: string,
  terms: ConsentTerms | undefined,
): Promise<void> {
  if (terms !== undefined && dependsOnConsent(terms)) await enqueueUpdate(tx, roomId)
}

/**
 * In the transaction that notes an arrival. Who reconnects may do so with a token from before a decision that
 * was made while they were not there, also where nothing depends on consent any more.
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

/** In the transaction that ends a recording: who had not agreed to it may send again. */
export async function requestRightsAfterRecording(tx: Query, roomId: string): Promise<void> {
  const terms = await findConsentTerms(tx, roomId)
  if (terms?.recording === 'optional') await enqueueUpdate(tx, roomId)
}

async function enqueueUpdate(tx: Query, roomId: string): Promise<void> {
  await enqueue(tx, { kind: UPDATE_MEDIA_RIGHTS, key: roomId })
}

/** Those whose rights are to change, and whether they have less then. */
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
  // Somebody may be connected whose entry is not noted yet.
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

/** Whether something is taken. */
function isLess(rights: MediaRights, before: MediaRights): boolean {
  return RIGHTS.some((right) => before[right] === true && rights[right] !== true)
}
