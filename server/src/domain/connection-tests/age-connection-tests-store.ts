import type { Tx } from '../../platform/db/db.ts'

/** Moves the unfinished tests of a tenant closer to their end. Returns their number. */
export async function ageConnectionTests(
  tx: Tx,
  { tenantId, seconds }: { tenantId: string; seconds: number },
): Promise<number> {
  const { count } = await tx`
    update connection_tests
       set expires_at = expires_at - make_interval(secs => ${seconds}),
           seen_at = seen_at - make_interval(secs => ${seconds})
     where tenant_id = ${tenantId} and status in ('pending', 'running')
  `
  return count
}
