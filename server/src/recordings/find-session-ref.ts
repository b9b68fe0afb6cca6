import type { ExternalRef } from '@interview-room/contract/webhooks.ts'
import type { Query } from '../db/db.ts'

/** What the webhooks about recordings say of the slot they belong to. */
export interface SessionRef {
  session_id: string | null
  session_external_ref: ExternalRef | null
}

/** Both null for a room without a session. */
export async function findSessionRef(query: Query, roomId: string): Promise<SessionRef> {
  const [row] = await query<{ id: string; externalType: string; externalId: string }[]>`
    select id, external_type as "externalType", external_id as "externalId"
      from sessions
     where room_id = ${roomId}
  `
  if (row === undefined) return { session_id: null, session_external_ref: null }
  return {
    session_id: row.id,
    session_external_ref: { external_type: row.externalType, external_id: row.externalId },
  }
}
