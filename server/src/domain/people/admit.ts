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
import type { ClientAddress } from './client-address.ts'
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

/** Device and address of an arriving person, and the data to read in the same round trip as the admission. */
interface Arrival<T> {
  origin: { device: Device; ipAddress: ClientAddress | null }
  alsoRead: (query: Query, room: AdmissionRoom) => Promise<T>
}

/** An admission that was granted. */
export interface GrantedAdmission<T = unknown> {
  room: AdmissionRoom
  admission: Admission
  /** Identities of the person's older media connections, in this role or another. They end before the new token is issued. */
  replaced: string[]
  /** The person's consent for each purpose. */
  consents: ConsentStates
  /** Permissions in the media room. */
  rights: MediaRights
  /** The result of `alsoRead`. */
  read: T
}

/** The holder of the tickets issued for this admission. */
export function holderOf({ admission }: GrantedAdmission): TicketHolder {
  const { id, tenantId, roomId, participantId, mediaIdentity, role, displayName } = admission
  return { admissionId: id, tenantId, roomId, participantId, mediaIdentity, role, displayName }
}

export { certainlyAdmitted } from './participant-store.ts'

type AdmissionDeps = Pick<Deps, 'db' | 'clock'>

/** Admits the holder of a verified participant token. The refusals are checked in their order. */
export async function admitParticipant<T>(
  { db, clock }: AdmissionDeps,
  claims: ParticipantClaims,
  { origin, alsoRead }: Arrival<T>,
): Promise<GrantedAdmission<T>> {
  return inTransaction(db, async (tx) => {
    reserveSlotInRoom(tx, claims.roomId)
    // Take the lock of the person first. Otherwise two entries of one person would deadlock: one holds the person's row and
    // waits for the room's clock, the other one holds the clock and waits for the row.
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
    const replaced = [...new Set(before.values())]
    const left = replaced.filter((id) => id !== participantId)
    const [, , { consents, rights }, read] = await commitTogether(tx, [
      known === undefined
        ? insertParticipant(tx, locked, { ...claims, id: participantId })
        : updateDisplayName(tx, known, claims.displayName),
      replaceAdmission(tx, admission, [participantId, ...all.map(({ id }) => id)]),
      findConsentsAndRights(tx, admission, room.consentTerms),
      alsoRead(tx, room),
      publishDeparture(tx, locked, { left, before: [...before.keys()] }),
    ])
    return { room, admission, replaced, consents, rights, read }
  })
}

/** The admissions with which the person is in the room, each with the participant it admitted. */
function presentAdmissionsOf(all: readonly PersonInRole[]): Map<string, string> {
  return new Map(
    all.flatMap(({ admissionId, presentAs }) =>
      admissionId === null || presentAs === null ? [] : [[admissionId, presentAs]],
    ),
  )
}

interface Departure {
  /** The person's participants in other roles, who leave. */
  left: readonly string[]
  /** Their previous admissions, which this one replaces. */
  before: readonly string[]
}

/**
 * A person has one place in the room, and the newest entry takes it, whatever the role. The older page is notified, and a
 * connection under another participant ends. One under the same participant ends before the answer of the entry (`endReplaced`).
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

/** The same check without an admission. Writes nothing. */
export async function checkAdmissible(
  { db, clock }: AdmissionDeps,
  claims: ParticipantClaims,
): Promise<void> {
  const { room, all } = await findAdmissible(db, claims)
  checkAdmission(room, claims, all, clock)
}

/** Reads the input of the admission check for a person who does not enter now. */
export async function findAdmissible(
  db: Db,
  { roomId, identity }: Pick<ParticipantClaims, 'roomId' | 'identity'>,
) {
  const [room, all] = await readOnOneConnection(db, (query) =>
    together([findAdmissionRoom(query, roomId), listParticipantsOf(query, roomId, identity)]),
  )
  return { room, all }
}

/** Admits by the simple route: the session's access token and a name make an anonymous panelist. */
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
      // Every visit counts as a new person.
      participantId: null,
    })
    const [, { consents, rights }, read] = await commitTogether(tx, [
      insertAdmission(tx, admission),
      findConsentsAndRights(tx, admission, room.consentTerms),
      alsoRead(tx, room),
    ])
    return { room, admission, replaced: [], consents, rights, read }
  })
}

/** A person who was admitted before, identified by one entry. */
interface AdmittedBefore {
  roomId: string
  admissionId: string
  /** Null on the simple route. */
  participantId: string | null
}

/**
 * Returns the room after repeating the refusals of admission, so that a close or a ban applies immediately and not only
 * when a ticket expires. Throws 401 UNAUTHORIZED for an entry that a newer one of the same person replaced.
 */
export async function checkStillAdmitted(
  { db, clock }: AdmissionDeps,
  holder: AdmittedBefore,
): Promise<AdmissionRoom> {
  const found = await readOnOneConnection(db, (query) => readAdmitted(query, holder))
  return judgeAdmitted(found, holder, clock())
}

/** The input of `judgeAdmitted`, in one round trip. */
export async function readAdmitted(query: Query, holder: AdmittedBefore) {
  const [room, known] = await together([
    findAdmissionRoom(query, holder.roomId),
    findHolder(query, holder),
  ])
  return { room, known }
}

/** Returns the room, or throws as `checkStillAdmitted` does. */
export function judgeAdmitted(
  { room, known }: Awaited<ReturnType<typeof readAdmitted>>,
  holder: AdmittedBefore,
  now: Date,
): AdmissionRoom {
  if (room === undefined) throw new ServiceError('NOT_FOUND')
  return judgeHolder(room, { holder, known, now })
}

/**
 * The same for an operation that writes into the room. It holds the room's shared lock, so no close or ban can happen in
 * between.
 */
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
    const visitor = await findVisitor(query, { roomId, identity: admissionId })
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
    // The provider knows a person by the participant id, and a visitor of the simple route by the admission id.
    mediaIdentity: who.participantId ?? id,
    role: who.role,
    displayName: who.displayName,
    jti: who.jti,
    ...origin,
    admittedAt: now,
  }
}

/** Logs once per room that the tenant has its panelists' consent from elsewhere. */
async function noteObtainedConsent(tx: Tx, locked: LockedRoomKey): Promise<void> {
  const eventType = 'consent.obtained' as const
  const event = { ...locked, eventType, payload: { purpose: 'recording', by: 'tenant' } }
  if (await hasRoomEvent(tx, event)) return
  // Entries only share the room's lock. Taking the clock first keeps two of them from logging this twice.
  await nextRoomMoment(tx, locked)
  await appendRoomEventOnce(tx, event)
}
