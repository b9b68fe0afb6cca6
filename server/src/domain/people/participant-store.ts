import { type ConsentBasis, consentTermsOf } from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { type Fragment, type Query, type Tx, together } from '../../platform/db/db.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import { openSlotsEndAfter, openSlotsStartUntil } from '../booking/session.ts'
import { advancingClock } from '../room-log/room-clock.ts'
import {
  type LockedRoom,
  type LockedRoomKey,
  queueForNameAndRoom,
  queueForRoom,
} from '../room-log/room-lock.ts'
import { consentBasis, lastAnswerOf } from './consent-store.ts'
import type { ParticipantIdentity } from './participant-token.ts'
import type { AdmissionRoom, Participant } from './participant.ts'

type AdmissionRoomRow = Omit<AdmissionRoom, 'session' | 'consentTerms'> &
  ConsentBasis & {
    sessionId: string | null
    sessionName: string | null
    accessToken: string
    startsAt: Date
    endsAt: Date
    cancelledAt: Date | null
  }

/** The room as admission sees it, with its lock. */
export interface SharedRoom {
  room: AdmissionRoom
  locked: LockedRoomKey
}

/** The room with its slot. Takes the shared lock, so that an entry and a close of the same room wait for each other. */
export async function shareRoom(tx: Tx, roomId: string): Promise<SharedRoom | undefined> {
  return sharing(tx, roomId, queueForRoom(tx, roomId, 'shared'))
}

/** The same after the lock of the person, who may not have a row yet. It serialises the entries of one person. */
export async function shareRoomAsPerson(
  tx: Tx,
  { roomId, identity }: Pick<NewParticipant, 'roomId' | 'identity'>,
): Promise<SharedRoom | undefined> {
  const person = `person:${roomId}:${JSON.stringify(identity)}`
  return sharing(tx, roomId, queueForNameAndRoom(tx, person, roomId))
}

async function sharing(
  tx: Tx,
  roomId: string,
  queueing: Promise<LockedRoom>,
): Promise<SharedRoom | undefined> {
  const [locked, room] = await together([queueing, selectRoom(tx, roomId, tx`for share of r`)])
  return room && { room, locked: { ...locked, tenantId: room.tenantId } }
}

/** If the window stays open for longer than this, the time is not checked again after the locks. */
const OPEN_FOR_MS = 30_000

/**
 * Part of a statement after the lock of the room. Returns one row, and takes a shared lock of the room's row, if this
 * participant may certainly write into the room for the next half minute. Otherwise `shareRoomAsParticipant` and
 * `refuseUnlessTakingPart` find the reason, or allow it.
 */
export function certainlyAdmitted(
  tx: Tx,
  {
    roomId,
    participantId,
    admissionId,
  }: Record<'roomId' | 'participantId' | 'admissionId', string>,
  now: Date,
): Fragment {
  const answered = { roomId: tx`r.id`, identity: tx`p.id::text` }
  return tx`
    select r.id
      from rooms r
      join sessions s on s.room_id = r.id
      join participants p on p.room_id = r.id
     where r.id = ${roomId}
       and r.media_room_sid is not null
       and r.closed_at is null
       and s.cancelled_at is null
       and s.starts_at <= ${openSlotsStartUntil(now)}::timestamptz
       and s.ends_at > ${openSlotsEndAfter(new Date(now.getTime() + OPEN_FOR_MS))}::timestamptz
       and p.id = ${participantId}
       and p.banned_at is null
       and p.admission_id = ${admissionId}
       and (r.archive_mode <> 'always'
            or coalesce(${lastAnswerOf(tx, answered, 'recording')}, 'given') = 'given')
       for share of r
  `
}

/** The same without a lock, for operations that write nothing. */
export async function findAdmissionRoom(
  query: Query,
  roomId: string,
): Promise<AdmissionRoom | undefined> {
  return selectRoom(query, roomId, query``)
}

async function selectRoom(
  query: Query,
  roomId: string,
  lock: Fragment,
): Promise<AdmissionRoom | undefined> {
  const [row] = await query<AdmissionRoomRow[]>`
    select r.id, r.tenant_id as "tenantId", r.kind, r.stream_resolution as "streamResolution",
           r.stream_frame_rate as "streamFrameRate", r.closed_at as "closedAt",
           exists (select from entry_histories e
                    where e.room_id = r.id and e.left_at is null) as "isInUse",
           ${consentBasis(query)},
           s.id as "sessionId", s.name as "sessionName", s.access_token as "accessToken",
           s.starts_at as "startsAt", s.ends_at as "endsAt", s.cancelled_at as "cancelledAt"
      from rooms r
      join tenants t on t.id = r.tenant_id
      left join sessions s on s.room_id = r.id
     where r.id = ${roomId}
       and r.media_room_sid is not null
       ${lock}
  `
  if (row === undefined) return undefined
  const { sessionId, sessionName, accessToken, startsAt, endsAt, cancelledAt, ...room } = row
  const session =
    sessionId === null
      ? null
      : { id: sessionId, name: sessionName, accessToken, startsAt, endsAt, cancelledAt }
  return { ...room, consentTerms: consentTermsOf(row), session }
}

/** The columns of a participant. */
function columns(query: Query) {
  return query`
    id, room_id as "roomId", seq, role, display_name as "displayName",
    external_type as "externalType", external_id as "externalId",
    created_at as "createdAt", banned_at as "bannedAt", admission_id as "admissionId"
  `
}

/** A person's participant in one role. */
export interface PersonInRole extends Participant {
  /** The participant admitted by the person's present admission, in whatever role. */
  presentAs: string | null
}

/** The person's participants in this room, one for each role in which they have entered. Empty before the first visit. */
export async function listParticipantsOf(
  query: Query,
  roomId: string,
  identity: ParticipantIdentity,
): Promise<PersonInRole[]> {
  const isThisOne =
    identity.kind === 'external'
      ? query`external_type = ${identity.externalType} and external_id = ${identity.externalId}`
      : identity.kind === 'operator'
        ? query`platform_user = ${identity.platformUser}`
        : query`anonymous_key = ${identity.anonymousKey}`
  return query<PersonInRole[]>`
    select ${columns(query)},
           (select a.participant_id from admissions a where a.id = admission_id) as "presentAs"
      from participants
     where room_id = ${roomId}
       and ${isThisOne}
  `
}

/** The participants of the same person, the given one first. Empty without such a participant, such as for a guest. */
export async function listSamePerson(
  query: Query,
  { roomId, participantId }: { roomId: string; participantId: string },
): Promise<string[]> {
  if (!isUuid(participantId)) return []
  const rows = await query<{ id: string }[]>`
    select p.id
      from participants o
      join participants p on p.room_id = o.room_id
                         and (p.id = o.id or (p.external_type = o.external_type
                                              and p.external_id = o.external_id))
     where o.id = ${participantId}
       and o.room_id = ${roomId}
     order by p.id <> o.id, p.seq
  `
  return rows.map(({ id }) => id)
}

export async function findParticipant(query: Query, id: string): Promise<Participant | undefined> {
  const [row] = await query<Participant[]>`
    select ${columns(query)} from participants where id = ${id}
  `
  return row
}

export interface NewParticipant {
  id: string
  tenantId: string
  roomId: string
  identity: ParticipantIdentity
  role: Role
  displayName: string
}

/** Inserts at the next moment of the room. The person is locked and has no participant in this role yet. */
export async function insertParticipant(
  tx: Tx,
  { roomId }: LockedRoom,
  { id, tenantId, identity, role, displayName }: NewParticipant,
): Promise<void> {
  const external = identity.kind === 'external' ? identity : undefined
  await tx`
    with moment as (${advancingClock(tx, roomId)})
    insert into participants (id, tenant_id, room_id, seq, role, display_name, external_type,
                              external_id, platform_user, anonymous_key, created_at)
    select ${id}::uuid, ${tenantId}::uuid, ${roomId}::uuid, moment.seq, ${role}::text,
           ${displayName}::text, ${external?.externalType ?? null}::text,
           ${external?.externalId ?? null}::text,
           ${identity.kind === 'operator' ? identity.platformUser : null}::text,
           ${identity.kind === 'anonymous' ? identity.anonymousKey : null}::text, moment.at
      from moment
  `
}

export async function updateDisplayName(
  tx: Tx,
  { id, displayName: before }: Pick<Participant, 'id' | 'displayName'>,
  displayName: string,
): Promise<void> {
  if (displayName === before) return
  await tx`update participants set display_name = ${displayName} where id = ${id}`
}

/** Bans once, and never before the admission that preceded the ban. A repeat changes nothing and returns false. */
export async function markBanned(
  tx: Tx,
  { roomId, participantId, at }: { roomId: string; participantId: string; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update participants
       set banned_at = greatest(${at}, (select admitted_at from admissions
                                         where id = participants.admission_id))
     where id = ${participantId}
       and room_id = ${roomId}
       and banned_at is null
  `
  return count === 1
}

/** True if this participant is not banned and has the person's newest entry. */
export async function isAdmitted(query: Query, participantId: string): Promise<boolean> {
  const rows = await query`
    select 1
      from participants p
      join admissions a on a.id = p.admission_id
     where p.id = ${participantId}
       and p.banned_at is null
       and a.participant_id = p.id
  `
  return rows.length > 0
}

export interface ParticipantList extends PageRequest {
  roomId: string
  role: Role | undefined
  isBanned: boolean | undefined
}

/** In order of creation. Reads one more than the limit to see whether there are more. */
export async function listParticipants(
  query: Query,
  { roomId, role, isBanned, after, limit }: ParticipantList,
): Promise<Participant[]> {
  return query<Participant[]>`
    select ${columns(query)}
      from participants
     where room_id = ${roomId}
       and seq > ${after ?? '0'}::bigint
       ${role === undefined ? query`` : query`and role = ${role}`}
       ${isBanned === undefined ? query`` : query`and (banned_at is not null) = ${isBanned}`}
     order by seq
     limit ${limit + 1}
  `
}

/** The name and the role of a participant. */
export interface NamedPerson {
  id: string
  name: string
  role: Role
}

/** Participants of the room with one of these ids, by their ids. */
export async function listNamesOf(
  query: Query,
  roomId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedPerson>> {
  const people = await query<NamedPerson[]>`
    select id, display_name as name, role
      from participants
     where room_id = ${roomId} and id = any(${[...ids]}::uuid[])
  `
  return new Map(people.map((person) => [person.id, person]))
}
