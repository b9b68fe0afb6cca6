import type { WebhookType } from '@interview-room/contract/webhooks.ts'
import type { Query, Tx } from '../db/db.ts'
import type { Egress } from '../ports/egress.ts'
import type { MediaConnection, MediaRights, MediaRoomSpec } from '../ports/media.ts'

/** Undefined if there is no such tenant. */
export async function findIsSandbox(query: Query, tenantId: string): Promise<boolean | undefined> {
  const [row] = await query<{ isSandbox: boolean }[]>`
    select is_sandbox as "isSandbox" from tenants where id = ${tenantId}
  `
  return row?.isSandbox
}

/** The tenant of a room, or of a media room that outlived its room. Undefined if neither exists. */
export async function findIsSandboxRoom(
  query: Query,
  name: string,
): Promise<{ tenantId: string; isSandbox: boolean } | undefined> {
  const [row] = await query<{ tenantId: string; isSandbox: boolean }[]>`
    select t.id as "tenantId", t.is_sandbox as "isSandbox"
      from tenants t
     where t.id = coalesce((select tenant_id from rooms where id = ${name}),
                           (select tenant_id from simulated_media_rooms where name = ${name}))
  `
  return row
}

export interface Simulation {
  /** The reason with which it is to fail; null if it is to succeed. */
  failureReason: string | null
}

/** Undefined for the rooms of real tenants. */
export async function findSimulationOf(
  query: Query,
  { roomId, type }: { roomId: string; type: WebhookType },
): Promise<Simulation | undefined> {
  const [row] = await query<Simulation[]>`
    select f.failure_reason as "failureReason"
      from rooms r
      join tenants t on t.id = r.tenant_id and t.is_sandbox
      left join simulated_failures f on f.room_id = r.id and f.webhook_type = ${type}
     where r.id = ${roomId}
  `
  return row
}

export interface SimulatedFailurePlan {
  tenantId: string
  roomId: string
  type: WebhookType
  failureReason: string
}

export async function upsertFailure(tx: Tx, plan: SimulatedFailurePlan): Promise<void> {
  await tx`
    insert into simulated_failures (room_id, webhook_type, tenant_id, failure_reason)
    values (${plan.roomId}, ${plan.type}, ${plan.tenantId}, ${plan.failureReason})
    on conflict (room_id, webhook_type) do update set failure_reason = excluded.failure_reason
  `
}

export async function deleteFailures(tx: Tx, roomId: string): Promise<void> {
  await tx`delete from simulated_failures where room_id = ${roomId}`
}

export interface SimulatedMediaRoom {
  name: string
  sid: string
  emptyTimeoutSec: number
}

/** Inserts it, or returns the existing one. */
export async function insertMediaRoom(
  tx: Tx,
  { name, emptyTimeoutSec, sid, tenantId }: MediaRoomSpec & { sid: string; tenantId: string },
): Promise<SimulatedMediaRoom> {
  await tx`
    insert into simulated_media_rooms (name, tenant_id, sid, empty_timeout_sec)
    values (${name}, ${tenantId}, ${sid}, ${emptyTimeoutSec})
    on conflict (name) do nothing
  `
  const [room] = await listMediaRooms(tx, [name])
  if (room === undefined) throw new Error('a simulated media room was not stored')
  return room
}

export async function listMediaRooms(
  query: Query,
  names: readonly string[],
): Promise<(SimulatedMediaRoom & { connectionCount: number })[]> {
  return query`
    select r.name, r.sid, r.empty_timeout_sec as "emptyTimeoutSec",
           (select count(*)::integer from simulated_connections c where c.media_room = r.name)
             as "connectionCount"
      from simulated_media_rooms r
     where r.name = any(${[...names]}::uuid[])
  `
}

/** Deletes it with its connections. False if there was none. */
export async function deleteMediaRoom(tx: Tx, name: string): Promise<boolean> {
  return (await tx`delete from simulated_media_rooms where name = ${name}`).count === 1
}

interface ConnectionRow extends Pick<MediaConnection, 'identity' | 'sid' | 'joinedAt'> {
  isPublishing: boolean
  isMuted: boolean
  mayPublish: boolean
  mayReceive: boolean
  mayShareScreen: boolean
}

export async function listConnections(query: Query, name: string): Promise<MediaConnection[]> {
  const rows = await query<ConnectionRow[]>`
    select identity, sid, joined_at as "joinedAt", is_publishing as "isPublishing",
           is_muted as "isMuted", may_publish as "mayPublish", may_receive as "mayReceive",
           may_share_screen as "mayShareScreen"
      from simulated_connections
     where media_room = ${name}
     order by joined_at, identity
  `
  return rows.map((row) => toConnection(row))
}

function toConnection(row: ConnectionRow): MediaConnection {
  const { identity, sid, joinedAt, mayPublish, mayReceive } = row
  const isPublishing = row.isPublishing && mayPublish
  return {
    identity,
    sid,
    joinedAt,
    isPerson: true,
    isActive: true,
    isPublishing,
    isSending: isPublishing && !row.isMuted,
    rights: { mayPublish, mayReceive, ...(row.mayShareScreen && { mayShareScreen: true }) },
  }
}

export interface NewConnection {
  mediaRoom: string
  identity: string
  sid: string
  joinedAt: Date
  isPublishing: boolean
}

/** Replaces an earlier connection of the same identity, as a provider does. */
export async function replaceConnection(tx: Tx, connection: NewConnection): Promise<void> {
  const { mediaRoom, identity, sid, joinedAt, isPublishing } = connection
  await tx`
    insert into simulated_connections (media_room, identity, sid, joined_at, is_publishing)
    values (${mediaRoom}, ${identity}, ${sid}, ${joinedAt}, ${isPublishing})
    on conflict (media_room, identity) do update
       set sid = excluded.sid, joined_at = excluded.joined_at,
           is_publishing = excluded.is_publishing, is_muted = false
  `
}

/** Returns the connection that it ended; undefined if there was none. */
export async function deleteConnection(
  tx: Tx,
  { mediaRoom, identity }: { mediaRoom: string; identity: string },
): Promise<Pick<MediaConnection, 'sid' | 'joinedAt'> | undefined> {
  const [row] = await tx<{ sid: string; joinedAt: Date }[]>`
    delete from simulated_connections where media_room = ${mediaRoom} and identity = ${identity}
    returning sid, joined_at as "joinedAt"
  `
  return row
}

export async function markMuted(
  query: Query,
  { mediaRoom, identity }: { mediaRoom: string; identity: string },
): Promise<void> {
  await query`
    update simulated_connections set is_muted = true
     where media_room = ${mediaRoom} and identity = ${identity}
  `
}

export async function setRights(
  query: Query,
  { mediaRoom, identity, rights }: { mediaRoom: string; identity: string; rights: MediaRights },
): Promise<void> {
  await query`
    update simulated_connections
       set may_publish = ${rights.mayPublish}, may_receive = ${rights.mayReceive},
           may_share_screen = ${rights.mayShareScreen ?? false}
     where media_room = ${mediaRoom} and identity = ${identity}
  `
}

export interface SimulatedEgress {
  egressId: string
  mediaRoom: string
  status: Extract<Egress['status'], 'starting' | 'active' | 'complete' | 'failed' | 'aborted'>
  failureReason: string | null
  outputPath: string
  startedAt: Date | null
  endedAt: Date | null
  sizeBytes: number | null
  durationSec: number | null
}

export async function insertEgress(
  tx: Tx,
  egress: SimulatedEgress & { tenantId: string; createdAt: Date },
): Promise<void> {
  await tx`
    insert into simulated_egresses (egress_id, media_room, tenant_id, status, failure_reason,
                                    output_path, started_at, ended_at, size_bytes, duration_sec,
                                    created_at)
    values (${egress.egressId}, ${egress.mediaRoom}, ${egress.tenantId}, ${egress.status},
            ${egress.failureReason}, ${egress.outputPath}, ${egress.startedAt}, ${egress.endedAt},
            ${egress.sizeBytes}, ${egress.durationSec}, ${egress.createdAt})
  `
}

function egressColumns(query: Query) {
  return query`
    egress_id as "egressId", media_room as "mediaRoom", status, failure_reason as "failureReason",
    output_path as "outputPath", started_at as "startedAt", ended_at as "endedAt",
    size_bytes::double precision as "sizeBytes", duration_sec as "durationSec"
  `
}

export async function listEgresses(query: Query, mediaRoom: string): Promise<SimulatedEgress[]> {
  return query<SimulatedEgress[]>`
    select ${egressColumns(query)} from simulated_egresses
     where media_room = ${mediaRoom} order by created_at, egress_id
  `
}

/** Undefined unless the egress is still writing. `lock` keeps it so until the end of the transaction. */
export async function findWritingEgress(
  query: Query,
  egressId: string,
  lock: 'lock' | 'no lock',
): Promise<SimulatedEgress | undefined> {
  const [row] = await query<SimulatedEgress[]>`
    select ${egressColumns(query)} from simulated_egresses
     where egress_id = ${egressId} and status in ('starting', 'active')
       ${lock === 'lock' ? query`for update` : query``}
  `
  return row
}

/** Notes the first time at which anybody asked a writing egress to end. */
export async function claimEnd(query: Query, egressId: string, at: Date): Promise<void> {
  await query`
    update simulated_egresses
       set ended_at = coalesce(ended_at, ${at})
     where egress_id = ${egressId} and status in ('starting', 'active')
  `
}

interface Aged {
  mediaRooms: readonly string[]
  seconds: number
}

export async function ageEgresses(tx: Tx, { mediaRooms, seconds }: Aged): Promise<void> {
  await tx`
    update simulated_egresses
       set started_at = started_at - make_interval(secs => ${seconds}),
           ended_at = ended_at - make_interval(secs => ${seconds})
     where media_room = any(${[...mediaRooms]}::uuid[])
  `
}

export async function ageConnections(tx: Tx, { mediaRooms, seconds }: Aged): Promise<void> {
  await tx`
    update simulated_connections
       set joined_at = joined_at - make_interval(secs => ${seconds})
     where media_room = any(${[...mediaRooms]}::uuid[])
  `
}

export async function updateEgress(tx: Tx, egress: SimulatedEgress): Promise<void> {
  await tx`
    update simulated_egresses
       set status = ${egress.status}, ended_at = ${egress.endedAt},
           size_bytes = ${egress.sizeBytes}, duration_sec = ${egress.durationSec}
     where egress_id = ${egress.egressId}
  `
}
