import type { Tx } from '../db/db.ts'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import { holdRoom } from '../rooms/hold-room.ts'
import type { HeldRoom } from '../rooms/room-lock.ts'
import type { ConnectionTest, ConnectionTestKey } from './connection-test.ts'
import { findConnectionTest } from './store.ts'

/** The test, under the lock of its room. Throws 404 NOT_FOUND. */
export async function holdConnectionTest(
  tx: Tx,
  key: ConnectionTestKey & { roomId: string },
  now: Date,
): Promise<ConnectionTest & HeldRoom> {
  const held = await holdRoom(tx, key)
  const test = await findConnectionTest(tx, key, now)
  if (test === undefined) throw new ServiceError('NOT_FOUND')
  return { ...test, ...held }
}

/** 422 VALIDATION_ERROR: a test in this state does not do that. */
export function refuseState({ status }: Pick<ConnectionTest, 'status'>): ServiceError {
  return refuseField('VALIDATION_ERROR', {
    field: 'status',
    code: 'NOT_ALLOWED',
    message: `is not possible while the test is ${status}`,
  })
}
