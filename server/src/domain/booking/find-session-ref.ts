import type { ExternalRef } from '@interview-room/contract/webhooks.ts'
import type { Query } from '../../platform/db/db.ts'
import { findSessionOfRoom } from './session-store.ts'

/** What the webhooks about recordings say of the slot they belong to. */
export interface SessionRef {
  session_id: string | null
  session_external_ref: ExternalRef | null
}

/** Both null for a room without a session. */
export async function findSessionRef(query: Query, roomId: string): Promise<SessionRef> {
  const session = await findSessionOfRoom(query, roomId)
  if (session === undefined) return { session_id: null, session_external_ref: null }
  const { id, externalType, externalId } = session
  return {
    session_id: id,
    session_external_ref: { external_type: externalType, external_id: externalId },
  }
}
