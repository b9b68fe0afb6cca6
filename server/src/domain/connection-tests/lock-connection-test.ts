import type { Tx } from '../../platform/db/db.ts'
import { refuseField, type ServiceError } from '../../platform/lib/service-error.ts'
import { lockRoom } from '../booking/lock-room.ts'
import type { LockedRoom } from '../room-log/room-lock.ts'
import type { ConnectionTest, ConnectionTestKey } from './connection-test.ts'
import { readConnectionTest } from './read-connection-tests.ts'

/** Reads the test with the lock of its room. Throws 404 NOT_FOUND. */
export async function lockConnectionTest(
  tx: Tx,
  key: ConnectionTestKey & { roomId: string },
  now: Date,
): Promise<ConnectionTest & LockedRoom> {
  const locked = await lockRoom(tx, key)
  return { ...(await readConnectionTest(tx, key, now)), ...locked }
}

/** The refusal of an operation that the test's state does not allow: 422 VALIDATION_ERROR. */
export function refuseState({ status }: Pick<ConnectionTest, 'status'>): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'status',
    code: 'NOT_ALLOWED',
    message: `is not possible while the test is ${status}`,
  })
}
