import type { ConsentStates } from '@interview-room/contract/consent-rules.ts'
import {
  OPENED_ELSEWHERE_CHALLENGE,
  REMOVED_CHALLENGE,
} from '@interview-room/contract/live-entry.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import {
  commitTogether,
  type Db,
  inTransaction,
  type Query,
  readOnOneConnection,
  type Tx,
  together,
} from '../../platform/db/db.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Clock } from '../../platform/lib/clock.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { MediaRights } from '../../platform/ports/media.ts'
import { unauthorized } from '../../platform/service-keys/signed-tokens.ts'
import { appendRoomEventOnce } from '../room-log/append-room-event.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { hasRoomEvent } from '../room-log/read-logs.ts'
import { nextRoomMoment } from '../room-log/room-clock.ts'
import { type LockedRoom, type LockedRoomKey, reserveSlotInRoom } from '../room-log/room-lock.ts'
import {
  type Admission,
  findVisitor,
  insertAdmission,
  replaceAdmission,
} from './admission-store.ts'
import { checkAdmission, isAccessTokenOf, refuseAdmission } from './check-admission.ts'
import type { Device } from './device.ts'
import { requireDisplayName } from './display-name.ts'
import {
  findAdmissionRoom,
  findParticipant,
  insertParticipant,
  listParticipantsOf,
  type PersonInRole,
  shareRoom,
  shareRoomAsPerson,
  updateDisplayName,
} from './participant-store.ts'
import type { ParticipantClaims } from './participant-token.ts'
import type { AdmissionRoom, Participant } from './participant.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'
import type { TicketHolder } from './ticket.ts'
import { findConsentsAndRights } from './update-media-rights.ts'

/** Where somebody comes from, and what is read for them in the round trip that lets them in. */
interface Arrival<T> {
  origin: { device: Device; ipAddress: string | null }
  alsoRead: (query: Query, room: AdmissionRoom) => Promise<T>
}

/** Who was let in, and into what. */
export interface GrantedAdmission<T = unknown> {
  room: AdmissionRoom
  admission: Admission
  /** Participants in other roles whom this admission replaces; they are removed. */
  left: string[]
  /** How it stands with the consent of the person. */
  consents: ConsentStates
  /** What they may do in the media room. */
  rights: MediaRights
  /** As `alsoRead` answered. */
  read: T
}

/** Who acts by it from then on. */
export function holderOf({ admission }: GrantedAdmission): TicketHolder {
  const { id, tenantId, roomId, participantId, mediaIdentity, role, displayName } = admission
  return { admissionId: id, tenantId, roomId, participantId, mediaIdentity, role, displayName }
}

export { certainlyAdmitted } from './participant-store.ts'

type AdmissionDeps = Pick<Deps, 'db' | 'clock'>

/** Admits the holder of a verified participant token, with refusals in their order. */
export async function admitParticipant<T>(
  { db, clock }: AdmissionDeps,
  claims: ParticipantClaims,
  { origin, alsoRead }: Arrival<T>,
): Promise<GrantedAdmission<T>> {
  return inTransaction(db, async (tx) => {
    reserveSlotInRoom(tx, claims.roomId)
    // Behind the lock of the person: else two entries of one wait for each other, one with the row of the
    // person and without the room's clock, the other one with the clock and without the row.
    const [shared, all] = await together([
      shareRoomAsPerson(tx, claims),
      listParticipantsOf(tx, claims.roomId, claims.identity),
    ])
    const { room, known, now } = checkAdmission(shared?.room, claims, all, clock)
    if (shared === undefined) throw new ServiceError('NOT_FOUND')
    const { locked } = shared
    if (room.consentTerms.recording === 'obtained') await noteObtainedConsent(tx, locked)
    const participantId = known?.id ?? uuidv7()
    const admission = newAdmission({ room, origin, now, ...claims, participantId })
    const before = presentAdmissionsOf(all)
    const left = [...before.values()].filter((id) => id !== participantId)
    const [, , { consents, rights }, read] = await commitTogether(tx, [
      known === undefined
        ? insertParticipant(tx, locked, { ...claims, id: participantId })
        : updateDisplayName(tx, known, claims.displayName),
      replaceAdmission(tx, admission, [participantId, ...all.map(({ id }) => id)]),
      findConsentsAndRights(tx, admission, room.consentTerms),
      alsoRead(tx, room),
      publishDeparture(tx, locked, { left, before: [...before.keys()] }),
    ])
    return { room, admission, left, consents, rights, read }
  })
}

/** By which a person is in the room, each with the participant whom it admitted. */
function presentAdmissionsOf(all: readonly PersonInRole[]): Map<string, string> {
  return new Map(
    all.flatMap(({ admissionId, presentAs }) =>
      admissionId === null || presentAs === null ? [] : [[admissionId, presentAs]],
    ),
  )
}

interface Departure {
  /** Participants who leave. */
  left: readonly string[]
  /** The admissions that gave the place up. */
  before: readonly string[]
}

/**
 * One place for each person, and the newest entry has it, in whatever role: the earlier page is notified,
 * and a connection under another participant ends.
 */
async function publishDeparture(tx: Tx, locked: LockedRoom, { left, before }: Departure) {
  const { roomId } = locked
  const payload = { reason: 'opened_elsewhere' }
  await together([
    ...left.map((mediaIdentity) =>
      enqueue(tx, removeParticipantRequest({ roomId, mediaIdentity })),
    ),
    ...before.map((admissionId) =>
      publishLiveEvent(tx, locked, { name: 'removed', admissionId, payload }),
    ),
  ])
}

/** The same check without an admission: it writes nothing. */
export async function checkAdmissible(
  { db, clock }: AdmissionDeps,
  claims: ParticipantClaims,
): Promise<void> {
  const { room, all } = await findAdmissible(db, claims)
  checkAdmission(room, claims, all, clock)
}

/** What an admission is checked against; for somebody who does not enter now. */
export async function findAdmissible(
  db: Db,
  { roomId, identity }: Pick<ParticipantClaims, 'roomId' | 'identity'>,
) {
  const [room, all] = await readOnOneConnection(db, (query) =>
    together([findAdmissionRoom(query, roomId), listParticipantsOf(query, roomId, identity)]),
  )
  return { room, all }
}

/** The simple route: the session's access token and a name, as an anonymous panelist. */
export async function admitByAccessToken<T>(
  { db, clock }: AdmissionDeps,
  request: { roomId: string; accessToken: string; name: string | undefined },
  { origin, alsoRead }: Arrival<T>,
): Promise<GrantedAdmission<T>> {
  return inTransaction(db, async (tx) => {
    const shared = await shareRoom(tx, request.roomId)
    const room = shared?.room
    if (shared === undefined || !isAccessTokenOf(room, request.accessToken)) {
      throw unauthorized('the access token is not that of the session')
    }
    const displayName = requireDisplayName(request.name)
    const now = clock()
    refuseAdmission({ room, session: room.session, participant: null, isInside: false }, now)
    if (room.consentTerms.recording === 'obtained') await noteObtainedConsent(tx, shared.locked)
    const admission = newAdmission({
      room,
      origin,
      now,
      role: 'panelist',
      displayName,
      jti: null,
      // Every visit is somebody new.
      participantId: null,
    })
    const [, { consents, rights }, read] = await commitTogether(tx, [
      insertAdmission(tx, admission),
      findConsentsAndRights(tx, admission, room.consentTerms),
      alsoRead(tx, room),
    ])
    return { room, admission, left: [], consents, rights, read }
  })
}

/** A person who was admitted, by one of perhaps several entries. */
interface AdmittedBefore {
  roomId: string
  admissionId: string
  /** Null on the simple route. */
  participantId: string | null
}

/**
 * The room of somebody who was admitted before, after the same refusals: a close or a ban applies
 * immediately, and not only when a ticket expires. Throws 401 UNAUTHORIZED for an entry that was followed
 * by a newer one of the same person.
 */
export async function checkStillAdmitted(
  { db, clock }: AdmissionDeps,
  holder: AdmittedBefore,
): Promise<AdmissionRoom> {
  const [room, known] = await readOnOneConnection(db, (query) =>
    together([findAdmissionRoom(query, holder.roomId), findHolder(query, holder)]),
  )
  if (room === undefined) throw new ServiceError('NOT_FOUND')
  return judgeHolder(room, { holder, known, now: clock() })
}

/** The same for what writes into the room: no close and no ban comes in between. */
export async function shareRoomAsParticipant(
  { db: tx, clock }: { db: Tx; clock: Clock },
  holder: AdmittedBefore,
): Promise<LockedRoomKey> {
  reserveSlotInRoom(tx, holder.roomId)
  const [shared, known] = await together([shareRoom(tx, holder.roomId), findHolder(tx, holder)])
  if (shared === undefined) throw new ServiceError('NOT_FOUND')
  judgeHolder(shared.room, { holder, known, now: clock() })
  return shared.locked
}

type Known = Pick<Participant, 'bannedAt' | 'admissionId'>

function judgeHolder(
  room: AdmissionRoom,
  { holder, known, now }: { holder: AdmittedBefore; known: Known; now: Date },
): AdmissionRoom {
  const { bannedAt, admissionId } = known
  refuseAdmission({ room, session: room.session, participant: { bannedAt }, isInside: true }, now)
  if (admissionId === null) throw wasRemoved()
  if (admissionId !== holder.admissionId) throw openedElsewhere()
  return room
}

async function findHolder(
  query: Query,
  { roomId, admissionId, participantId }: AdmittedBefore,
): Promise<Known> {
  if (participantId === null) {
    const visitor = await findVisitor(query, { roomId, admissionId })
    const isRemoved = (visitor?.removedAt ?? null) !== null
    return { bannedAt: visitor?.bannedAt ?? null, admissionId: isRemoved ? null : admissionId }
  }
  const participant = await findParticipant(query, participantId)
  if (participant === undefined) throw new ServiceError('NOT_FOUND')
  return participant
}

function openedElsewhere(): ServiceError {
  const headers = { 'www-authenticate': OPENED_ELSEWHERE_CHALLENGE }
  return new ServiceError('UNAUTHORIZED', { headers, note: 'opened elsewhere' })
}

function wasRemoved(): ServiceError {
  const headers = { 'www-authenticate': REMOVED_CHALLENGE }
  return new ServiceError('UNAUTHORIZED', { headers, note: 'removed from the room' })
}

interface AdmissionSource {
  room: AdmissionRoom
  origin: Arrival<unknown>['origin']
  now: Date
  participantId: string | null
  role: Role
  displayName: string
  jti: string | null
}

function newAdmission({ room, origin, now, ...who }: AdmissionSource): Admission {
  const id = uuidv7()
  return {
    id,
    tenantId: room.tenantId,
    roomId: room.id,
    participantId: who.participantId,
    // The provider knows a person by the participant; on the simple route by this visit alone.
    mediaIdentity: who.participantId ?? id,
    role: who.role,
    displayName: who.displayName,
    jti: who.jti,
    ...origin,
    admittedAt: now,
  }
}

/** For a tenant that has the consent of its panelists from elsewhere: logs that in the room, once. */
async function noteObtainedConsent(tx: Tx, locked: LockedRoomKey): Promise<void> {
  const eventType = 'consent.obtained'
  const event = { ...locked, eventType, payload: { purpose: 'recording', by: 'tenant' } }
  if (await hasRoomEvent(tx, event)) return
  // Those who enter share the room: behind its clock, nobody else notes it at the same time.
  await nextRoomMoment(tx, locked)
  await appendRoomEventOnce(tx, event)
}
