import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { ConnectionTestKey } from './connection-test.ts'
import { findTicket } from './store.ts'

export type TestOfTicket = ConnectionTestKey & { roomId: string }

/** Checks the ticket of a test's link; its holder may act in this test. Throws 401 UNAUTHORIZED. */
export async function verifyTicket(
  { db }: Pick<Deps, 'db'>,
  connectionTestId: string,
  presented: string,
): Promise<TestOfTicket> {
  const found = isUuid(connectionTestId) ? await findTicket(db, connectionTestId) : undefined
  // Compare digests, so that the timing reveals neither the length nor an unknown test.
  if (timingSafeEqual(digest(found?.ticket ?? ''), digest(presented)) && found !== undefined) {
    return { connectionTestId, tenantId: found.tenantId, roomId: found.roomId }
  }
  throw new ServiceError('UNAUTHORIZED', { headers: { 'www-authenticate': 'Bearer' } })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
