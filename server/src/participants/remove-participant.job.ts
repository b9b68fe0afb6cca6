import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import { closeEntriesOf } from '../entries/close-entries.ts'
import type { Job, JobRequest } from '../jobs/job.ts'

const KIND = 'remove-participant'
/** Pause after the first, second, ... failure; the last one holds for all that follow. */
const RETRY_AFTER_SEC = [0, 1, 2, 4, 8, 16, 30]

interface Removal {
  roomId: string
  participantId: string
}

export function removeParticipantRequest({ roomId, participantId }: Removal): JobRequest {
  return { kind: KIND, key: participantId, payload: { roomId } }
}

/** Puts a banned person out, again and again until the provider agrees. */
export function removeParticipantJob({
  db,
  media,
  clock,
}: Pick<Deps, 'db' | 'media' | 'clock'>): Job {
  return {
    kind: KIND,
    retryAfterSec: (failures) => RETRY_AFTER_SEC[failures - 1] ?? RETRY_AFTER_SEC.at(-1),
    async run({ key: participantId, payload }) {
      const roomId = String(payload['roomId'])
      await media.removeConnection(roomId, participantId)
      // Whoever was still inside is out now, whether or not the provider tells.
      await inTransaction(db, (tx) => closeEntriesOf(tx, { roomId, participantId, at: clock() }))
      return { outcome: 'done' }
    },
  }
}
