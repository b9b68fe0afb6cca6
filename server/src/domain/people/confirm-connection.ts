import { inTransaction } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { openEntry } from './open-entry.ts'

/**
 * Handles a browser's report that it is connected. The provider's list must confirm it. Returns false when it does not, or
 * when the provider cannot be asked.
 */
export async function confirmConnection(
  { db, media, clock }: Pick<Deps, 'db' | 'media' | 'clock'>,
  report: { roomId: string; mediaIdentity: string; mediaSid: string },
): Promise<boolean> {
  const { roomId, mediaIdentity, mediaSid } = report
  const askedAt = clock()
  const connections = await media.listConnections(roomId).catch((error: unknown) => {
    if (error instanceof MediaError) return undefined
    throw error
  })
  const seen = connections?.find(
    ({ sid, identity }) => sid === mediaSid && identity === mediaIdentity,
  )
  if (seen === undefined) return false
  const { joinedAt, isActive } = seen
  const listed = isActive ? { listedAt: askedAt } : {}
  const outcome = await inTransaction(db, (tx) =>
    openEntry(tx, { roomId, mediaIdentity, mediaSid, joinedAt, ...listed }, clock()),
  )
  return outcome !== 'unwanted'
}
