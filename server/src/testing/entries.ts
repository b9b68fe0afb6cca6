import { openEntry } from '../domain/people/open-entry.ts'
import { inTransaction } from '../platform/db/db.ts'
import type { ControlPlane } from './control-plane.ts'

/** Connects a person's media; returns the connection's sid. */
export async function connectMedia(
  plane: ControlPlane,
  {
    roomId,
    identity,
    mediaSid = `PA_${identity}`,
  }: { roomId: string; identity: string; mediaSid?: string },
): Promise<string> {
  const connection = { roomId, mediaIdentity: identity, mediaSid, joinedAt: plane.now }
  await inTransaction(plane.database.db, (tx) => openEntry(tx, connection, plane.now))
  return mediaSid
}
