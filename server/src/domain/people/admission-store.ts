import type { ConnectionQuality } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Fragment, Query, Tx } from '../../platform/db/db.ts'
import type { Device } from './device.ts'

/** Somebody of the simple route, who is known by the admission alone. */
export interface Visitor {
  admissionId: string
  role: Role
  displayName: string
  /** The entry is over; the same link lets them in again. */
  removedAt: Date | null
  /** It is over, and this was a ban. */
  bannedAt: Date | null
}

export async function findVisitor(
  query: Query,
  { roomId, admissionId }: { roomId: string; admissionId: string },
): Promise<Visitor | undefined> {
  const [row] = await query<Visitor[]>`
    select id as "admissionId", role, display_name as "displayName", removed_at as "removedAt",
           banned_at as "bannedAt"
      from admissions
     where id = ${admissionId}
       and room_id = ${roomId}
       and participant_id is null
  `
  return row
}

/** Bans a visitor, whose entry is over by it; a repeat changes nothing and answers false. */
export async function markVisitorBanned(
  tx: Tx,
  { admissionId, at }: { admissionId: string; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update admissions
       set removed_at = coalesce(removed_at, ${at}), banned_at = ${at}
     where id = ${admissionId}
       and participant_id is null
       and banned_at is null
  `
  return count === 1
}

/**
 * Ends the admission by which somebody is in the room, in whatever role: a participant's newest one, or
 * that of a visitor. Undefined when there is none, or it has ended.
 */
export async function endAdmission(
  tx: Tx,
  { roomId, identity, at }: { roomId: string; identity: string; at: Date },
): Promise<{ admissionId: string; mediaIdentity: string } | undefined> {
  const [row] = await tx<{ admissionId: string; mediaIdentity: string }[]>`
    with ended as (
           update admissions a
              set removed_at = ${at}
             from (select coalesce((select p.admission_id
                                      from participants p
                                     where p.id = ${identity} and p.room_id = ${roomId}),
                                   ${identity}::uuid) as id) present
            where a.id = present.id
              and a.room_id = ${roomId}
              and a.removed_at is null
           returning a.id, a.media_identity),
         -- Its ticket is over, and the next entry of the person starts anew.
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

/** Of somebody whom the admission alone names. */
export async function insertAdmission(tx: Tx, admission: Admission): Promise<void> {
  await tx`${inserting(tx, admission)}`
}

/** Makes this admission the only one of these participants, who are one person in whatever roles. */
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
  at: Date
}

/** Returns the quality reported before; undefined when this visit reported less than `pauseSec` ago. */
export async function updateConnectionQuality(
  tx: Tx,
  { admissionId, quality, at }: Line,
  pauseSec: number,
): Promise<{ before: ConnectionQuality | null } | undefined> {
  const isBad = quality === 'poor' || quality === 'lost'
  const [row] = await tx<{ before: ConnectionQuality | null }[]>`
    update admissions a
       set line           = ${quality},
           line_at        = ${at},
           line_bad_since = ${isBad ? tx`coalesce(a.line_bad_since, ${at})` : null}
      from (select id, line, line_at from admissions
             where id = ${admissionId}
               -- No stronger: a live event may refer to the admission meanwhile, behind the room's clock.
               for no key update) held
     where a.id = held.id
       and coalesce(held.line_at <= ${at}::timestamptz - make_interval(secs => ${pauseSec}), true)
    returning held.line as before
  `
  return row
}

/** The oldest admissions of more than so many days ago; answers how many. */
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

/** Those of these people in a room, oldest first. */
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
