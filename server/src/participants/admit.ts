import { createHash, timingSafeEqual } from 'node:crypto'
import {
  OPENED_ELSEWHERE_CHALLENGE,
  RELEASED_HEADER,
  WINDOW_CLOSES_HEADER,
  WINDOW_OPENS_HEADER,
} from '@interview-room/contract/live-entry.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { inTransaction, type Query, type Tx } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Clock } from '../lib/clock.ts'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { tellRoom } from '../live-stream/tell-room.ts'
import { nextRoomMoment } from '../rooms/room-clock.ts'
import type { HeldRoom, HeldRoomKey } from '../rooms/room-lock.ts'
import { unauthorized } from '../service-keys/signed-tokens.ts'
import { windowOf } from '../sessions/session.ts'
import type { Device } from './device.ts'
import { type AtTheGate, type GateRoom, type Participant, refusalAt } from './participant.ts'
import type { ParticipantClaims } from './participant-token.ts'
import {
  type Admission,
  findGateRoom,
  findParticipant,
  findParticipantByIdentity,
  findVisitor,
  holdPerson,
  insertAdmission,
  insertParticipant,
  replaceAdmission,
  shareRoom,
  updateDisplayName,
} from './store.ts'

/** From where somebody knocks. */
export interface Origin {
  device: Device
  ipAddress: string | null
}

/** Who was let in, and into what. */
export interface Admitted {
  room: GateRoom
  admission: Admission
}

type GateDeps = Pick<Deps, 'db' | 'clock'>

/** The gate for a verified participant token, in the decided order of refusals. */
export async function admitParticipant(
  { db, clock }: GateDeps,
  claims: ParticipantClaims,
  origin: Origin,
): Promise<Admitted> {
  return inTransaction(db, async (tx) => {
    // Without it two entries of one person wait for each other: one has the row of the person and
    // wants the room's clock, the other one has the clock and wants the row.
    await holdPerson(tx, claims)
    const shared = await shareRoom(tx, claims.roomId)
    const { room, known, now } = await passGate(tx, shared?.room, { claims, clock })
    if (shared === undefined) throw new ServiceError('NOT_FOUND')
    const { held } = shared
    const participant = known ?? (await makeParticipant(tx, held, claims))
    if (participant.role !== claims.role) throw otherRole()
    await updateDisplayName(tx, participant.id, claims.displayName)
    const admission = newAdmission({ room, origin, now, ...claims, participantId: participant.id })
    await insertAdmission(tx, admission)
    await supersede(tx, held, { id: admission.id, participantId: participant.id })
    return { room, admission }
  })
}

/** One place for each person, and the newest entry has it: the page of the one before is told. */
async function supersede(
  tx: Tx,
  held: HeldRoom,
  { id, participantId }: { id: string; participantId: string },
): Promise<void> {
  const before = await replaceAdmission(tx, { participantId, admissionId: id })
  if (before === null) return
  const payload = { reason: 'opened_elsewhere' }
  await tellRoom(tx, held, { name: 'removed', admissionId: before, payload })
}

/** The same gate without going through: nothing is written, nobody is made. */
export async function checkAdmissible(
  { db, clock }: GateDeps,
  claims: ParticipantClaims,
): Promise<void> {
  const room = await findGateRoom(db, claims.roomId)
  const { known } = await passGate(db, room, { claims, clock })
  if (known !== undefined && known.role !== claims.role) throw otherRole()
}

interface Passed {
  room: GateRoom
  /** Undefined before the first visit. */
  known: Participant | undefined
  now: Date
}

async function passGate(
  query: Query,
  room: GateRoom | undefined,
  { claims, clock }: { claims: ParticipantClaims; clock: Clock },
): Promise<Passed> {
  if (room === undefined || room.tenantId !== claims.tenantId) throw new ServiceError('NOT_FOUND')
  // The room of a connection test admits nobody but the person who is tested.
  if (room.kind === 'connection_test') throw new ServiceError('NOT_FOUND')
  const known = await findParticipantByIdentity(query, room.id, claims.identity)
  // Read behind the lock: whoever waited for it is judged by the time at which it was free.
  const now = clock()
  refuse({ room, session: room.session, participant: known ?? null, isInside: false }, now)
  return { room, known, now }
}

/** The simple route: the session's access token and a name, as an anonymous panelist. */
export async function admitByAccessToken(
  { db, clock }: GateDeps,
  knock: { roomId: string; accessToken: string; displayName: string },
  origin: Origin,
): Promise<Admitted> {
  return inTransaction(db, async (tx) => {
    const room = (await shareRoom(tx, knock.roomId))?.room
    if (!isAccessTokenOf(room, knock.accessToken)) {
      throw unauthorized('the access token is not that of the session')
    }
    const now = clock()
    refuse({ room, session: room.session, participant: null, isInside: false }, now)
    const admission = newAdmission({
      room,
      origin,
      now,
      role: 'panelist',
      displayName: knock.displayName,
      jti: null,
      participantId: null,
    })
    await insertAdmission(tx, admission)
    return { room, admission }
  })
}

/** Whoever was let in, by one of perhaps several entries. */
interface AdmittedBefore {
  roomId: string
  admissionId: string
  /** Null on the simple route. */
  participantId: string | null
}

/**
 * The room of somebody who was admitted before, after the same refusals: a close or a ban holds at
 * once, and not only when a ticket is over. Throws 401 UNAUTHORIZED for an entry that was followed
 * by a newer one of the same person.
 */
export async function checkStillAdmitted(
  { db, clock }: GateDeps,
  holder: AdmittedBefore,
): Promise<GateRoom> {
  return judgeHolder(db, await findGateRoom(db, holder.roomId), { holder, clock })
}

/** The same for what writes into the room: no close and no ban comes in between. */
export async function shareRoomInside(
  { db: tx, clock }: { db: Tx; clock: Clock },
  holder: AdmittedBefore,
): Promise<HeldRoomKey> {
  const shared = await shareRoom(tx, holder.roomId)
  await judgeHolder(tx, shared?.room, { holder, clock })
  if (shared === undefined) throw new ServiceError('NOT_FOUND')
  return shared.held
}

async function judgeHolder(
  query: Query,
  room: GateRoom | undefined,
  { holder, clock }: { holder: AdmittedBefore; clock: Clock },
): Promise<GateRoom> {
  if (room === undefined) throw new ServiceError('NOT_FOUND')
  const { session } = room
  const { bannedAt, admissionId } = await findHolder(query, holder)
  refuse({ room, session, participant: { bannedAt }, isInside: true }, clock())
  if (admissionId !== holder.admissionId) throw openedElsewhere()
  return room
}

async function findHolder(
  query: Query,
  { roomId, admissionId, participantId }: AdmittedBefore,
): Promise<Pick<Participant, 'bannedAt' | 'admissionId'>> {
  if (participantId === null) {
    const visitor = await findVisitor(query, { roomId, admissionId })
    return { bannedAt: visitor?.removedAt ?? null, admissionId }
  }
  const participant = await findParticipant(query, participantId)
  if (participant === undefined) throw new ServiceError('NOT_FOUND')
  return participant
}

function openedElsewhere(): ServiceError {
  const headers = { 'www-authenticate': OPENED_ELSEWHERE_CHALLENGE }
  return new ServiceError('UNAUTHORIZED', { headers, note: 'opened elsewhere' })
}

/** Throws the first refusal that applies; 422 OUTSIDE_TIME_WINDOW says when the window is. */
function refuse(gate: AtTheGate, now: Date): void {
  const code = refusalAt(gate, now)
  if (code === undefined) return
  if (code === 'SESSION_RELEASED') {
    const isCancelled = (gate.session?.cancelledAt ?? null) !== null
    throw new ServiceError(code, {
      headers: { [RELEASED_HEADER]: isCancelled ? 'cancelled' : 'closed' },
    })
  }
  if (code !== 'OUTSIDE_TIME_WINDOW' || gate.session === null) throw new ServiceError(code)
  const { opensAt, closesAt } = windowOf(gate.session)
  throw new ServiceError(code, {
    headers: {
      [WINDOW_OPENS_HEADER]: opensAt.toISOString(),
      [WINDOW_CLOSES_HEADER]: closesAt.toISOString(),
    },
  })
}

function otherRole(): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'role',
    code: 'NOT_ALLOWED',
    message: 'this participant has entered the room in another role',
  })
}

async function makeParticipant(
  tx: Tx,
  held: HeldRoom,
  claims: ParticipantClaims,
): Promise<Participant> {
  const { seq, at } = await nextRoomMoment(tx, held)
  return insertParticipant(tx, { ...claims, id: uuidv7(), seq, at })
}

interface AdmissionSource {
  room: GateRoom
  origin: Origin
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

function isAccessTokenOf(room: GateRoom | undefined, presented: string): room is GateRoom {
  const expected = room?.session?.accessToken ?? ''
  // Digests, so that neither length nor an unknown room shows in the time it takes.
  const [one, other] = [expected, presented].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return one !== undefined && other !== undefined && timingSafeEqual(one, other) && expected !== ''
}
