import type { ClientFacts } from '@interview-room/contract/connection-tests.ts'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../deps.ts'
import type { ConnectionTestKey } from './connection-test.ts'
import { holdConnectionTest, refuseState } from './hold-connection-test.ts'
import { markRunning } from './store.ts'

/**
 * The person under test is there: a waiting test begins, and a running one is alive. Throws 422
 * VALIDATION_ERROR when the test has ended.
 */
export async function connectSubject(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: ConnectionTestKey & { roomId: string },
  client: ClientFacts,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = clock()
    const test = await holdConnectionTest(tx, key, now)
    if (test.status !== 'pending' && test.status !== 'running') throw refuseState(test)
    await markRunning(tx, key, { at: now, client: test.client ?? client })
  })
}
