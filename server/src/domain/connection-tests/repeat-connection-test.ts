import { inTransaction } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { undoRoom } from '../booking/create-room.ts'
import { type ConnectionTest, type ConnectionTestKey, canRepeat } from './connection-test.ts'
import { refuseState } from './lock-connection-test.ts'
import { completeConnectionTest, provisionTest } from './start-connection-test.ts'
import { findConnectionTest, findRepeatOf, keepConnectionTest } from './store.ts'

/** Another repeat of the same test was completed first. */
class AlreadyRepeatedError extends Error {}

type RepeatDeps = Pick<Deps, 'db' | 'media' | 'clock' | 'config'>
type Repeat = Pick<ConnectionTest, 'id' | 'ticket'>

/**
 * Starts a new test for the same person, with the same settings and expiry. A repeated request returns the same new test.
 *
 * Throws 404 NOT_FOUND, also for a test that is erased meanwhile; 422 VALIDATION_ERROR when this test has no result, has
 * expired, or was repeated too often; 502 RTC_PROVISION_FAILED.
 */
export async function repeatConnectionTest(
  deps: RepeatDeps,
  key: ConnectionTestKey,
): Promise<Repeat> {
  const now = deps.clock()
  const test = await findConnectionTest(deps.db, key, now)
  if (test === undefined) throw new ServiceError('NOT_FOUND')
  const made = await findRepeatOf(deps.db, test.id)
  if (made !== undefined) return made
  if (!canRepeat(test, now)) throw refuseState(test)
  await makeRepeat(deps, test)
  const repeat = await findRepeatOf(deps.db, test.id)
  if (repeat === undefined) throw new ServiceError('NOT_FOUND')
  return repeat
}

async function makeRepeat(deps: RepeatDeps, test: ConnectionTest): Promise<void> {
  const repeat = { ...test, repeatOf: test.id, attempt: test.attempt + 1 }
  const provisioned = await provisionTest(deps, repeat)
  try {
    await inTransaction(deps.db, async (tx) => {
      if (!(await keepConnectionTest(tx, test.id))) throw new ServiceError('NOT_FOUND')
      const made = await completeConnectionTest(tx, provisioned, deps.clock())
      // Throw to roll back the whole transaction.
      if (made === undefined) throw new AlreadyRepeatedError()
    })
  } catch (error) {
    await undoRoom(deps, provisioned)
    if (!(error instanceof AlreadyRepeatedError)) throw error
  }
}
