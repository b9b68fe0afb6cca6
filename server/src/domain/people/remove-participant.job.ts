import { inTransaction } from '../../platform/db/db.ts'
import type { Job, JobRequest } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { closeEntriesOf } from './close-entries.ts'
import { isAdmitted } from './participant-store.ts'

const KIND = 'remove-participant'
/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

interface Removal {
  roomId: string
  /** The provider's handle: the participant's id, or a visitor's own. */
  mediaIdentity: string
}

export function removeParticipantRequest({ roomId, mediaIdentity }: Removal): JobRequest {
  return { kind: KIND, key: mediaIdentity, payload: { roomId } }
}

/**
 * Puts somebody out who was banned or removed, or has entered in another role since, again and again
 * until the provider agrees.
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
      // Back in this role meanwhile.
      if (await isAdmitted(db, mediaIdentity)) return { outcome: 'done' }
      await media.removeConnection(roomId, mediaIdentity)
      // Anybody who was still inside is out now, whether or not the provider reports it.
      await inTransaction(db, (tx) => closeEntriesOf(tx, { roomId, mediaIdentity, at: clock() }))
      return { outcome: 'done' }
    },
  }
}
