import type { Tx } from '../db/db.ts'

/**
 * The media connections of whoever takes a test: one publishes, the other receives it. They are
 * nobody's in the sense of the contract: no participant, no attendance, no W1.
 */
export const SUBJECT_IDENTITY = 'subject'
export const RECEIVER_IDENTITY = 'subject-receiver'
const IDENTITIES: readonly string[] = [SUBJECT_IDENTITY, RECEIVER_IDENTITY]

/** Whether this connection belongs to a test that runs. */
export async function isUnderTest(
  tx: Tx,
  { roomId, mediaIdentity }: { roomId: string; mediaIdentity: string },
): Promise<boolean> {
  if (!IDENTITIES.includes(mediaIdentity)) return false
  const rows = await tx`
    select 1
      from connection_tests t
      join rooms r on r.id = t.room_id
     where t.room_id = ${roomId} and t.status = 'running' and r.closed_at is null
  `
  return rows.length > 0
}
