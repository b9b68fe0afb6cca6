import type { Tx } from '../../platform/db/db.ts'

/** Moves the sessions of a tenant and the closes of its rooms into the past. Returns the number of sessions. */
export async function ageSessions(
  tx: Tx,
  { tenantId, seconds }: { tenantId: string; seconds: number },
): Promise<number> {
  await tx`
    update rooms
       set closed_at = closed_at - make_interval(secs => ${seconds})
     where tenant_id = ${tenantId} and closed_at is not null
  `
  const { count } = await tx`
    update sessions
       set starts_at = starts_at - make_interval(secs => ${seconds}),
           ends_at = ends_at - make_interval(secs => ${seconds})
     where tenant_id = ${tenantId} and cancelled_at is null
  `
  return count
}
