import type { Tx } from '../../platform/db/db.ts'
import { isTestRunning } from './entry-store.ts'

/**
 * The media connections of the person who takes a test: one publishes, the other receives it. They belong to
 * nobody in the sense of the contract: no participant, no attendance, no W1.
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
