import {
  type ConsentBasis,
  type ConsentTerms,
  consentTermsOf,
} from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../platform/db/db.ts'
import type { GuestKind } from '../../platform/ports/media.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import { type LockedRoom, queueForRoom } from '../room-log/room-lock.ts'
import { consentBasis } from './consent-store.ts'
import type { Entry, EntryContext } from './entry.ts'

/** The newest admission of a media identity, with the room and person as W1 needs them. */
export interface AdmissionForEntry extends EntryContext {
  tenantId: string
  admissionId: string
  participantId: string | null
  name: string
  role: Role
  roomClosedAt: Date | null
  cancelledAt: Date | null
  bannedAt: Date | null
  /** Null for everybody but guests. */
  guestKind: GuestKind | null
  /** False for a guest whose kind the tenant does not allow any more. */
  isKindAllowed: boolean
  /** The window; null for rooms without a slot. */
  opensAt: Date | null
  closesAt: Date | null
  consentTerms: ConsentTerms
  locked: LockedRoom
}

type AdmissionRow = Omit<AdmissionForEntry, 'session' | 'participant' | 'consentTerms'> &
  ConsentBasis & {
    sessionId: string | null
    sessionExternalType: string
    sessionExternalId: string
    externalType: string | null
    externalId: string | null
  }

/** Shares the room's row: either a close waits for the entry, or the entry sees the close. */
export async function shareRoomOfAdmission(
  tx: Tx,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<AdmissionForEntry | undefined> {
  const locked = await queueForRoom(tx, roomId, 'shared')
  const [row] = await tx<AdmissionRow[]>`
    select a.tenant_id as "tenantId", a.id as "admissionId", a.participant_id as "participantId",
           a.display_name as name, a.role, r.closed_at as "roomClosedAt",
           s.id as "sessionId", s.external_type as "sessionExternalType",
           s.external_id as "sessionExternalId", s.cancelled_at as "cancelledAt",
           p.external_type as "externalType", p.external_id as "externalId",
           coalesce(p.banned_at, a.removed_at,
                    -- Ended by a later admission in another role, which took this participant's place.
                    (select n.admitted_at
                       from admissions n
                      where n.id = p.admission_id
                        and n.participant_id <> p.id)) as "bannedAt",
           a.guest_kind as "guestKind",
           (a.guest_kind is null or a.guest_kind = any(t.guest_kinds)) as "isKindAllowed",
           s.starts_at - interval '30 minutes' as "opensAt",
           s.ends_at + interval '30 minutes' as "closesAt",
           ${consentBasis(tx)}
      from admissions a
      join rooms r on r.id = a.room_id
      join tenants t on t.id = r.tenant_id
      left join sessions s on s.room_id = r.id
      left join participants p on p.id = a.participant_id
     where a.room_id = ${roomId}
       and a.media_identity = ${mediaIdentity}
     order by a.admitted_at desc
     limit 1
       for share of r
  `
  if (row === undefined) return undefined
  const { sessionId, sessionExternalType, sessionExternalId, ...others } = row
  const { externalType, externalId, ...rest } = others
  return {
    ...rest,
    consentTerms: consentTermsOf(row),
    locked,
    session:
      sessionId === null
        ? null
        : { id: sessionId, externalType: sessionExternalType, externalId: sessionExternalId },
    participant: rest.participantId === null ? null : { externalType, externalId },
  }
}

export async function hasEntryOf(tx: Tx, roomId: string, mediaSid: string): Promise<boolean> {
  const rows = await tx`
    select 1 from entry_histories where room_id = ${roomId} and media_sid = ${mediaSid}
  `
  return rows.length > 0
}

/** Reopens an entry that was closed before its connection was listed. Returns true if it did. */
export async function openAgain(
  tx: Tx,
  { roomId, mediaSid, listedAt }: { roomId: string; mediaSid: string; listedAt: Date },
): Promise<boolean> {
  const { count } = await tx`
    update entry_histories
       set left_at = null
     where room_id = ${roomId} and media_sid = ${mediaSid} and left_at < ${listedAt}
  `
  return count === 1
}

export interface NewEntry {
  roomId: string
  admissionId: string
  mediaSid: string
  seq: bigint
  enteredAt: Date
}

/** Copies name, role and device from the admission. Returns undefined when the connection already has its row. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<bigint | undefined> {
  const [row] = await tx<{ id: bigint }[]>`
    insert into entry_histories (tenant_id, room_id, seq, participant_id, media_identity, media_sid,
                                 name, role, browser_name, browser_version, platform_name,
                                 platform_version, ip_address, entered_at)
    select a.tenant_id, a.room_id, ${entry.seq}, a.participant_id, a.media_identity,
           ${entry.mediaSid}, a.display_name, a.role, a.browser_name, a.browser_version,
           a.platform_name, a.platform_version, a.ip_address, ${entry.enteredAt}
      from admissions a
     where a.id = ${entry.admissionId}
    on conflict (room_id, media_sid) do nothing
    returning id
  `
  return row?.id
}

export async function markLeft(
  tx: Tx,
  { roomId, mediaSid, at }: { roomId: string; mediaSid: string; at: Date },
): Promise<Role[]> {
  const left = await tx<{ role: Role }[]>`
    update entry_histories
       set left_at = greatest(entered_at, ${at}), missed_at = null
     where room_id = ${roomId} and media_sid = ${mediaSid} and left_at is null
    returning role
  `
  return left.map(({ role }) => role)
}

/** Closes the entries of everybody who entered before `at`. */
export async function markAllLeft(
  tx: Tx,
  { roomId, at }: { roomId: string; at: Date },
): Promise<Role[]> {
  const left = await tx<{ role: Role }[]>`
    update entry_histories
       set left_at = greatest(entered_at, ${at}), missed_at = null
     where room_id = ${roomId} and left_at is null and entered_at <= ${at}
    returning role
  `
  return left.map(({ role }) => role)
}

/** The same for one person, on all of their connections. */
export async function markPersonLeft(
  tx: Tx,
  { roomId, mediaIdentity, at }: { roomId: string; mediaIdentity: string; at: Date },
): Promise<Role[]> {
  const left = await tx<{ role: Role }[]>`
    update entry_histories
       set left_at = greatest(entered_at, ${at}), missed_at = null
     where room_id = ${roomId} and media_identity = ${mediaIdentity}
       and left_at is null and entered_at <= ${at}
    returning role
  `
  return left.map(({ role }) => role)
}

export interface OpenEntry {
  mediaSid: string
  mediaIdentity: string
  missedAt: Date | null
}

export async function listOpenEntries(query: Query, roomId: string): Promise<OpenEntry[]> {
  return query<OpenEntry[]>`
    select media_sid as "mediaSid", media_identity as "mediaIdentity", missed_at as "missedAt"
      from entry_histories
     where room_id = ${roomId} and left_at is null
  `
}

export async function hasOpenEntries(query: Query, roomId: string): Promise<boolean> {
  const rows = await query`
    select 1 from entry_histories where room_id = ${roomId} and left_at is null limit 1
  `
  return rows.length > 0
}

export async function markMissed(
  query: Query,
  { roomId, mediaSid, at }: { roomId: string; mediaSid: string; at: Date | null },
): Promise<void> {
  await query`
    update entry_histories set missed_at = ${at}
     where room_id = ${roomId} and media_sid = ${mediaSid} and left_at is null
  `
}

/** True if a connection test is running in this room. */
export async function isTestRunning(tx: Tx, roomId: string): Promise<boolean> {
  const rows = await tx`
    select 1
      from connection_tests t
      join rooms r on r.id = t.room_id
     where t.room_id = ${roomId} and t.status = 'running' and r.closed_at is null
  `
  return rows.length > 0
}

export interface EntryList extends PageRequest {
  roomId: string
  role: Role | undefined
  /** Only entries of these participants. */
  participantIds?: readonly string[]
}

export async function listEntries(
  query: Query,
  { roomId, role, participantIds, after, limit }: EntryList,
): Promise<Entry[]> {
  return query<Entry[]>`
    select id, room_id as "roomId", seq, participant_id as "participantId",
           media_identity as "mediaIdentity", media_sid as "mediaSid", name, role,
           browser_name as "browserName", browser_version as "browserVersion",
           platform_name as "platformName", platform_version as "platformVersion",
           ip_address as "ipAddress", entered_at as "enteredAt", left_at as "leftAt"
      from entry_histories
     where room_id = ${roomId}
       and seq > ${after ?? '0'}::bigint
       ${role === undefined ? query`` : query`and role = ${role}`}
       ${participantIds === undefined ? query`` : query`and participant_id = any(${[...participantIds]}::uuid[])`}
     order by seq
     limit ${limit + 1}
  `
}

/** Media identities of everybody who was ever in the room and may publish: moderators, then panelists, each by first entry. */
export async function listPlaces(query: Query, roomId: string): Promise<string[]> {
  const rows = await query<{ identity: string }[]>`
    select media_identity as identity
      from entry_histories
     where room_id = ${roomId} and role in ('moderator', 'panelist')
     group by media_identity
     order by bool_or(role = 'moderator') desc, min(seq)
  `
  return rows.map(({ identity }) => identity)
}
