import type { Tx } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { CARRY_OUT } from './carry-out-retention.job.ts'
import { GIVE_NOTICES } from './give-retention-notices.job.ts'
import { ageNotices } from './retention-store.ts'

/** Moves the notices of a tenant closer to their deletions, and brings the retention jobs forward. */
export async function ageRetention(
  tx: Tx,
  moved: { tenantId: string; seconds: number },
): Promise<void> {
  await ageNotices(tx, moved)
  await enqueueAll(tx, [GIVE_NOTICES, CARRY_OUT])
}
