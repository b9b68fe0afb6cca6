import { inTransaction } from '../../platform/db/db.ts'
import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { closeEntriesOf } from './close-entries.ts'
import { isAdmitted } from './participant-store.ts'

const KIND = 'remove-participant'
/** Pause after the first, second, ... failure. The last value holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

interface Removal {
  roomId: string
  /** The provider's identity: the participant's id, or a visitor's own. */
  mediaIdentity: string
  /** The provider's ids of the connections that a newer entry in the same role ends. A later one of this person stays. */
  olderSids?: readonly string[]
}

export function removeParticipantRequest(removal: Removal): JobRequest {
  const { roomId, mediaIdentity, olderSids = [] } = removal
  return { kind: KIND, key: mediaIdentity, payload: { roomId, olderSids: olderSids.join(' ') } }
}

/**
 * Removes a person who was banned or removed or has entered in another role since, or the connection of an older page. It
 * is retried until the provider confirms.
 */
export function removeParticipantJob({
  db,
  media,
  clock,
}: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: mediaIdentity, payload }) {
      const roomId = String(payload['roomId'])
      if (isUuid(mediaIdentity) && (await isAdmitted(db, mediaIdentity))) {
        // The person is in this role (again), and only a connection of before must go.
        const olderSids = String(payload['olderSids']).split(' ')
        const connections = await media.listConnections(roomId)
        if (!connections?.some(({ sid }) => olderSids.includes(sid))) return { outcome: 'done' }
      }
      await media.removeConnection(roomId, mediaIdentity)
      // The person is out now, even if the provider never reports it.
      await inTransaction(db, (tx) => closeEntriesOf(tx, { roomId, mediaIdentity, at: clock() }))
      return { outcome: 'done' }
    },
  }
}
