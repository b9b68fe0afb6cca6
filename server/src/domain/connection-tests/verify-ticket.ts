import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { ConnectionTestKey } from './connection-test.ts'
import { findTicket } from './store.ts'

export type TestOfTicket = ConnectionTestKey & { roomId: string }

/** Who holds the ticket of a test's address may act in it. Throws 401 UNAUTHORIZED. */
export async function verifyTicket(
  { db }: Pick<Deps, 'db'>,
  connectionTestId: string,
  presented: string,
): Promise<TestOfTicket> {
  const found = isUuid(connectionTestId) ? await findTicket(db, connectionTestId) : undefined
  // Digests, so that neither length nor an unknown test shows in the time it takes.
  if (timingSafeEqual(digest(found?.ticket ?? ''), digest(presented)) && found !== undefined) {
    return { connectionTestId, tenantId: found.tenantId, roomId: found.roomId }
  }
  throw new ServiceError('UNAUTHORIZED', { headers: { 'www-authenticate': 'Bearer' } })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
