import type { Query } from '../../platform/db/db.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { ConnectionTest, ConnectionTestKey } from './connection-test.ts'
import { findConnectionTest } from './store.ts'

export { listConnectionTests } from './store.ts'

/** Throws 404 NOT_FOUND. */
export async function readConnectionTest(
  query: Query,
  key: ConnectionTestKey,
  now: Date,
): Promise<ConnectionTest> {
  const test = await findConnectionTest(query, key, now)
  if (test === undefined) throw new ServiceError('NOT_FOUND')
  return test
}
