import { inTransaction } from '../../platform/db/db.ts'
import { dueItemsJob } from '../../platform/jobs/due-items-job.ts'
import type { RepeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { lockRoom } from '../booking/lock-room.ts'
import { closeInTransaction } from '../room-end/close-room.ts'
import { listOverdue, markExpired } from './store.ts'

const KIND = 'expire-connection-tests'
const EVERY_SEC = 30
const REASON = 'connection_test_expired'

/** Closes the rooms of tests that were not finished in time. No webhook reports them. */
export function expireConnectionTestsJob({ db, clock }: Pick<Deps, 'db' | 'clock'>): RepeatingJob {
  return dueItemsJob({
    kind: KIND,
    everySec: EVERY_SEC,
    db,
    clock,
    list: (limit) => listOverdue(db, { retriedBy: KIND, now: clock(), limit }),
    keyOf: ({ connectionTestId }) => connectionTestId,
    carryOut: (key) =>
      inTransaction(db, async (tx) => {
        const now = clock()
        // A result that arrives at the same time locks the room first, too, so only one of the two takes effect.
        await lockRoom(tx, key)
        if (await markExpired(tx, key, now)) {
          await closeInTransaction(tx, { ...key, reason: REASON }, () => now)
        }
      }),
  })
}
