import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { Job, JobRequest } from '../jobs/job.ts'
import { markRoomClosed } from '../rooms/close-room.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import { listOverdue, markExpired } from './store.ts'

const KIND = 'expire-connection-tests'
const EVERY_SEC = 30
const BATCH = 100
const REASON = 'connection_test_expired'

/** Asked for once at every start; the job then repeats itself. */
export const expireConnectionTestsRequest: JobRequest = { kind: KIND, key: 'all' }

/** Closes the rooms of tests that nobody finished in time. No webhook tells of them. */
export function expireConnectionTestsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job {
  return {
    kind: KIND,
    async run({ signal }) {
      const overdue = await listOverdue(db, clock(), BATCH)
      for (const key of overdue) {
        if (signal.aborted) break
        await inTransaction(db, async (tx) => {
          const now = clock()
          // A result that comes in right now locks the room first, too: one of the two wins.
          await holdRoom(tx, key)
          if (await markExpired(tx, key, now)) {
            await markRoomClosed(tx, { ...key, reason: REASON }, now)
          }
        })
      }
      const waitSec = overdue.length === BATCH ? 0 : EVERY_SEC
      return { outcome: 'again', at: new Date(clock().getTime() + waitSec * 1000) }
    },
  }
}
