import type { Tx } from '../../platform/db/db.ts'

/** Moves the time until which erasures of a tenant wait for rooms to be over. Returns their ids. */
export async function ageErasures(
  tx: Tx,
  { tenantId, seconds }: { tenantId: string; seconds: number },
): Promise<string[]> {
  const waiting = await tx<{ id: string }[]>`
    update erasures
       set waits_until = waits_until - make_interval(secs => ${seconds})
     where tenant_id = ${tenantId} and waits_until is not null
    returning id
  `
  return waiting.map(({ id }) => id)
}
