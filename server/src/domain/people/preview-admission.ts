import {
  type ConsentStates,
  consentStatesOf,
  NO_ANSWERS,
} from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { unauthorized } from '../../platform/service-keys/signed-tokens.ts'
import { windowOf } from '../booking/session.ts'
import { findAdmissible } from './admit.ts'
import { checkAdmission, isAccessTokenOf, refuseAdmission } from './check-admission.ts'
import { findConsents } from './find-consent.ts'
import { findAdmissionRoom } from './participant-store.ts'
import type { ParticipantClaims } from './participant-token.ts'
import type { AdmissionRoom } from './participant.ts'

type PreviewDeps = Pick<Deps, 'db' | 'clock'>

/** The result that a person would get by entering. */
export interface AdmissionPreview {
  room: AdmissionRoom
  role: Role
  /** Null on the simple route. */
  displayName: string | null
  consents: ConsentStates
  /** False before the window. */
  isOpen: boolean
}

/** Refuses as entering does, except before the window opens. Writes nothing. */
export async function previewAdmission(
  { db, clock }: PreviewDeps,
  claims: ParticipantClaims,
): Promise<AdmissionPreview> {
  const { roomId, role, displayName } = claims
  const { room: found, all } = await findAdmissible(db, claims)
  const now = clock()
  const at = openTimeOf(found, now)
  const { room, known } = checkAdmission(found, claims, all, () => at)
  const terms = room.consentTerms
  const consents =
    known === undefined
      ? consentStatesOf(terms, role, NO_ANSWERS)
      : await findConsents(db, { roomId, mediaIdentity: known.id, role }, terms)
  return { room, role, displayName, consents, isOpen: at <= now }
}

/** The same on the simple route. */
export async function previewByAccessToken(
  { db, clock }: PreviewDeps,
  { roomId, accessToken }: { roomId: string; accessToken: string },
): Promise<AdmissionPreview> {
  const room = await findAdmissionRoom(db, roomId)
  if (!isAccessTokenOf(room, accessToken)) {
    throw unauthorized('the access token is not that of the session')
  }
  const now = clock()
  const at = openTimeOf(room, now)
  refuseAdmission({ room, session: room.session, participant: null, isInside: false }, at)
  const consents = consentStatesOf(room.consentTerms, 'panelist', NO_ANSWERS)
  return { room, role: 'panelist', displayName: null, consents, isOpen: at <= now }
}

/** Now, or the opening of the window if that is later: an early caller is judged as of then. */
function openTimeOf(room: AdmissionRoom | undefined, now: Date): Date {
  const opensAt = room?.session == null ? now : windowOf(room.session).opensAt
  return opensAt > now ? opensAt : now
}
