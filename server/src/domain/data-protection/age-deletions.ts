import type { Tx } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { ageErasures } from './age-erasures-store.ts'
import { CARRY_OUT } from './carry-out-retention.job.ts'
import { eraseRequest } from './erase-request.ts'
import { GIVE_NOTICES } from './give-retention-notices.job.ts'
import { ageNotices } from './retention-store.ts'

/** Moves the notices of a tenant closer to their deletions, and brings retention and waiting erasures forward. */
export async function ageDeletions(
  tx: Tx,
  moved: { tenantId: string; seconds: number },
): Promise<void> {
  await ageNotices(tx, moved)
  const erasures = await ageErasures(tx, moved)
  await enqueueAll(tx, [GIVE_NOTICES, CARRY_OUT, ...erasures.map((id) => eraseRequest(id))])
}
