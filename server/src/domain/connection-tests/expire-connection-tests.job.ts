import { inTransaction } from '../../platform/db/db.ts'
import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { closeInTransaction } from '../room-end/close-room.ts'
import { listOverdue, markExpired } from './store.ts'

const EVERY_SEC = 30
const BATCH = 100
const REASON = 'connection_test_expired'

/** Closes the rooms of tests that nobody finished in time. No webhook reports them. */
export function expireConnectionTestsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return repeatingJob({
    kind: 'expire-connection-tests',
    everySec: EVERY_SEC,
    clock,
    async run({ signal }) {
      const overdue = await listOverdue(db, clock(), BATCH)
      for (const key of overdue) {
        if (signal.aborted) break
        await inTransaction(db, async (tx) => {
          const now = clock()
          // A result that comes in right now locks the room first, too: one of the two wins.
          await lockRoom(tx, key)
          if (await markExpired(tx, key, now)) {
            await closeInTransaction(tx, { ...key, reason: REASON }, () => now)
          }
        })
      }
      return overdue.length === BATCH ? 'more' : 'done'
    },
  })
}
