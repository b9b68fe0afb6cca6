import type { Query, Tx } from '../../platform/db/db.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'
import type { Session, SessionKey, SessionState } from './session.ts'

/** A session with the close of its room, which decides its status. */
export type StoredSession = Session & SessionState

function selection(query: Query) {
  return query`
    select s.id, s.room_id as "roomId", s.external_type as "externalType",
           s.external_id as "externalId", s.name, s.access_token as "accessToken",
           s.starts_at as "startsAt", s.ends_at as "endsAt", s.created_at as "createdAt",
           s.cancelled_at as "cancelledAt", r.closed_at as "roomClosedAt"
      from sessions s
      join rooms r on r.id = s.room_id and r.media_room_sid is not null
  `
}

export async function findSession(
  query: Query,
  { tenantId, sessionId }: SessionKey,
): Promise<StoredSession | undefined> {
  const [row] = await query<StoredSession[]>`
    ${selection(query)} where s.id = ${sessionId} and s.tenant_id = ${tenantId}
  `
  return row
}

export interface SessionLookup extends PageRequest {
  tenantId: string
  externalType: string
  externalId: string
}

/** Newest first. The reference is unique, so the list has at most one item. */
export async function listSessions(
  query: Query,
  { tenantId, externalType, externalId, after, limit }: SessionLookup,
): Promise<StoredSession[]> {
  return query<StoredSession[]>`
    ${selection(query)}
     where s.tenant_id = ${tenantId}
       and s.external_type = ${externalType}
       and s.external_id = ${externalId}
       ${after === undefined ? query`` : query`and s.id < ${after}`}
     order by s.id desc
     limit ${limit + 1}
  `
}

export async function updateSession(
  tx: Tx,
  { tenantId, sessionId }: SessionKey,
  { name, startsAt, endsAt }: Pick<Session, 'name' | 'startsAt' | 'endsAt'>,
): Promise<void> {
  await tx`
    update sessions
       set name = ${name}, starts_at = ${startsAt}, ends_at = ${endsAt}
     where id = ${sessionId}
       and tenant_id = ${tenantId}
  `
}

/** Returns false when the tenant has no such session. */
export async function updateAccessToken(
  query: Query,
  {
    tenantId,
    sessionId,
    accessToken,
  }: { tenantId: string; sessionId: string; accessToken: string },
): Promise<boolean> {
  const { count } = await query`
    update sessions
       set access_token = ${accessToken}
     where id = ${sessionId}
       and tenant_id = ${tenantId}
  `
  return count === 1
}

/** Returns undefined for a room without a slot. */
type SlotOfRoom = Pick<
  Session,
  'id' | 'externalType' | 'externalId' | 'name' | 'startsAt' | 'endsAt'
>

export async function findSessionOfRoom(
  query: Query,
  roomId: string,
): Promise<SlotOfRoom | undefined> {
  const [row] = await query<SlotOfRoom[]>`
    select id, external_type as "externalType", external_id as "externalId", name,
           starts_at as "startsAt", ends_at as "endsAt"
      from sessions
     where room_id = ${roomId}
  `
  return row
}
