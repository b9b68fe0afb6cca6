import type { ConnectionQuality } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query, Tx } from '../../platform/db/db.ts'
import type { GuestKind } from '../../platform/ports/media.ts'
import type { Device } from './device.ts'

/** A visitor of the simple route, whom only the admission identifies, or a guest. */
export interface Visitor {
  admissionId: string
  role: Role
  displayName: string
  /** Set when the visitor was removed. The same link lets them in again. */
  removedAt: Date | null
  /** Set when the visitor was banned, and `removedAt` with it. */
  bannedAt: Date | null
  isGuest: boolean
}

/** @param identity that of the roster. */
export async function findVisitor(
  query: Query,
  { roomId, identity }: { roomId: string; identity: string },
): Promise<Visitor | undefined> {
  const [row] = await query<Visitor[]>`
    select id as "admissionId", role, display_name as "displayName", removed_at as "removedAt",
           banned_at as "bannedAt", guest_kind is not null as "isGuest"
      from admissions
     where room_id = ${roomId}
       and media_identity = ${identity}
       and participant_id is null
     order by admitted_at desc
     limit 1
  `
  return row
}

/** Bans a visitor, which ends their admission. A repeat changes nothing and returns false. */
export async function markVisitorBanned(
  tx: Tx,
  { admissionId, at }: { admissionId: string; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update admissions
       set removed_at = coalesce(removed_at, greatest(admitted_at, ${at})),
           banned_at  = greatest(admitted_at, ${at})
     where id = ${admissionId}
       and participant_id is null
       and banned_at is null
  `
  return count === 1
}

/** Inserts the admission of a guest. Returns false if the room's tenant does not allow this kind. */
export async function insertGuest(
  tx: Tx,
  guest: Pick<Admission, 'id' | 'roomId' | 'mediaIdentity' | 'displayName' | 'admittedAt'> & {
    kind: GuestKind
  },
): Promise<boolean> {
  const { count } = await tx`
    insert into admissions (id, tenant_id, room_id, media_identity, role, display_name, guest_kind,
                            admitted_at)
    select ${guest.id}::uuid, r.tenant_id, r.id, ${guest.mediaIdentity}::text, 'panelist',
           ${guest.displayName}::text, ${guest.kind}::text, ${guest.admittedAt}::timestamptz
      from rooms r
      join tenants t on t.id = r.tenant_id
     where r.id = ${guest.roomId}
       and r.kind = 'interview'
       and ${guest.kind}::text = any(t.guest_kinds)
  `
  return count === 1
}

/** Ends an admission, with which a person is in the room. Returns undefined when it has already ended. */
export async function endAdmission(
  tx: Tx,
  { roomId, admissionId, at }: { roomId: string; admissionId: string; at: Date },
): Promise<{ admissionId: string; mediaIdentity: string } | undefined> {
  const [row] = await tx<{ admissionId: string; mediaIdentity: string }[]>`
    with ended as (
           update admissions a
              set removed_at = greatest(admitted_at, ${at})
            where a.id = ${admissionId}
              and a.room_id = ${roomId}
              and a.removed_at is null
           returning a.id, a.media_identity),
         -- The ticket ends, so the person's next entry gets a new admission.
         vacated as (
           update participants p
              set admission_id = null
             from ended
            where p.admission_id = ended.id
              and p.room_id = ${roomId})
    select id as "admissionId", media_identity as "mediaIdentity" from ended
  `
  return row
}

export interface Admission {
  id: string
  tenantId: string
  roomId: string
  participantId: string | null
  mediaIdentity: string
  role: Role
  displayName: string
  jti: string | null
  device: Device
  ipAddress: string | null
  admittedAt: Date
}

/** Inserts the admission of a visitor, who has no participant. */
export async function insertAdmission(tx: Tx, admission: Admission): Promise<void> {
  await tx`${inserting(tx, admission)}`
}

/** Makes this admission the only one of these participants, which are one person in several roles. */
export async function replaceAdmission(
  tx: Tx,
  admission: Admission,
  participantIds: readonly string[],
): Promise<void> {
  await tx`
    with admitted as (${inserting(tx, admission)})
    update participants set admission_id = ${admission.id} where id = any(${[...participantIds]})
  `
}

function inserting(tx: Tx, admission: Admission): Fragment {
  const { device } = admission
  return tx`
    insert into admissions (id, tenant_id, room_id, participant_id, media_identity, role,
                            display_name, jti, browser_name, browser_version, platform_name,
                            platform_version, ip_address, admitted_at)
    values (${admission.id}, ${admission.tenantId}, ${admission.roomId},
            ${admission.participantId}, ${admission.mediaIdentity}, ${admission.role},
            ${admission.displayName}, ${admission.jti}, ${device.browserName},
            ${device.browserVersion}, ${device.platformName}, ${device.platformVersion},
            ${admission.ipAddress}, ${admission.admittedAt})
  `
}

export interface Line {
  admissionId: string
  quality: ConnectionQuality
  isMicrophoneSilent: boolean
  at: Date
}

/** Returns if this report differs from the one before. Returns undefined when this visit reported less than `pauseSec` ago. */
export async function updateConnectionQuality(
  tx: Tx,
  { admissionId, quality, isMicrophoneSilent, at }: Line,
  pauseSec: number,
): Promise<{ isNews: boolean } | undefined> {
  const isBad = quality === 'poor' || quality === 'lost'
  const [row] = await tx<{ isNews: boolean }[]>`
    update admissions a
       set line           = ${quality},
           line_at        = ${at},
           line_bad_since = ${isBad ? tx`coalesce(a.line_bad_since, ${at})` : null},
           is_microphone_silent = ${isMicrophoneSilent}
      from (select id, line, line_at, is_microphone_silent from admissions
             where id = ${admissionId}
               -- This lock still allows a live event to refer to the admission meanwhile.
               for no key update) held
     where a.id = held.id
       and coalesce(held.line_at <= ${at}::timestamptz - make_interval(secs => ${pauseSec}), true)
    returning (held.line, held.is_microphone_silent)
              is distinct from (a.line, a.is_microphone_silent) as "isNews"
  `
  return row
}

/** Deletes the oldest admissions from more than `keptDays` days ago. Returns their number. */
export async function deleteOldAdmissions(
  query: Query,
  { keptDays, limit }: { keptDays: number; limit: number },
): Promise<number> {
  const { count } = await query`
    delete from admissions
     where id = any(array(
             select id from admissions
              where admitted_at < statement_timestamp() - make_interval(days => ${keptDays})
              order by admitted_at
              limit ${limit}))
  `
  return count
}

export interface KeptAdmission extends Device {
  role: Role
  displayName: string
  /** `jti` of the participant token. */
  tokenId: string | null
  ipAddress: string | null
  admittedAt: Date
}

/** The admissions of these participants in a room, oldest first. */
export async function listAdmissionsOf(
  query: Query,
  { roomId, participantIds }: { roomId: string; participantIds: readonly string[] },
): Promise<KeptAdmission[]> {
  return query<KeptAdmission[]>`
    select role, display_name as "displayName", jti as "tokenId",
           browser_name as "browserName", browser_version as "browserVersion",
           platform_name as "platformName", platform_version as "platformVersion",
           ip_address as "ipAddress", admitted_at as "admittedAt"
      from admissions
     where room_id = ${roomId} and participant_id = any(${[...participantIds]}::uuid[])
     order by admitted_at, id
  `
}
