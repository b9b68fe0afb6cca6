import { inTransaction } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { disconnect } from './ban-participant.ts'
import { listOpenEntries } from './entry-store.ts'
import { removeParticipantRequest } from './remove-participant.job.ts'

/**
 * Ends the older connections of a person who has entered again, before the new page gets its token: until then, every open
 * entry of these identities is of an older page. If the provider refuses, a job tries again.
 */
export async function endReplaced(
  deps: Pick<Deps, 'db' | 'media' | 'log'>,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<void> {
  if (await disconnect(deps, { roomId, identities })) return
  await inTransaction(deps.db, async (tx) => {
    const open = await listOpenEntries(tx, roomId)
    const sidsOf = (identity: string) =>
      open.flatMap(({ mediaIdentity, mediaSid }) => (mediaIdentity === identity ? [mediaSid] : []))
    const requests = identities.map((mediaIdentity) =>
      removeParticipantRequest({ roomId, mediaIdentity, olderSids: sidsOf(mediaIdentity) }),
    )
    await enqueueAll(tx, requests)
  })
}
