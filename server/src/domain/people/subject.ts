import type { Tx } from '../../platform/db/db.ts'
import { isTestRunning } from './entry-store.ts'

/**
 * The two media connections of a connection test: one publishes, the other receives. They are no participants and have no
 * attendance and no W1.
 */
export const SUBJECT_IDENTITY = 'subject'
export const RECEIVER_IDENTITY = 'subject-receiver'
const IDENTITIES: readonly string[] = [SUBJECT_IDENTITY, RECEIVER_IDENTITY]

/** True if this connection belongs to a running test. */
export async function isUnderTest(
  tx: Tx,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<boolean> {
  return IDENTITIES.includes(mediaIdentity) && isTestRunning(tx, roomId)
}
