import type { Tx } from '../../platform/db/db.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { eraseRequest } from './erase-request.ts'

/** Lets the waiting erasures of a tenant look again now: the rooms that they wait for may be over. */
export async function ageErasures(
  tx: Tx,
  { tenantId, seconds }: { tenantId: string; seconds: number },
): Promise<void> {
  const waiting = await tx<{ id: string }[]>`
    update erasures
       set waits_until = waits_until - make_interval(secs => ${seconds})
     where tenant_id = ${tenantId} and waits_until is not null
    returning id
  `
  await enqueueAll(
    tx,
    waiting.map(({ id }) => eraseRequest(id)),
  )
}
