import type { Query } from '../db/db.ts'
import type { Session, SessionState } from './session.ts'

/** With the close of its room, which its status is read from. */
export type StoredSession = Session & SessionState

export async function findSession(
  db: Query,
  key: { tenantId: string; sessionId: string },
): Promise<StoredSession | undefined> {
  const [row] = await db<StoredSession[]>`
    select s.id, s.room_id as "roomId", s.external_type as "externalType",
           s.external_id as "externalId", s.name, s.access_token as "accessToken",
           s.starts_at as "startsAt", s.ends_at as "endsAt", s.created_at as "createdAt",
           s.cancelled_at as "cancelledAt", r.closed_at as "roomClosedAt"
      from sessions s
      join rooms r on r.id = s.room_id
     where s.id = ${key.sessionId}
       and s.tenant_id = ${key.tenantId}
       and r.media_room_sid is not null
  `
  return row
}

/** False when the tenant has no such session. */
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
