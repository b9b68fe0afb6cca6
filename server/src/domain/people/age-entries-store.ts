import type { Tx } from '../../platform/db/db.ts'

/** Moves the attendance in a tenant's occupied rooms, or in one room, into the past. */
export async function ageEntries(
  tx: Tx,
  { tenantId, roomId, seconds }: { tenantId: string; roomId?: string; seconds: number },
): Promise<void> {
  await tx`
    update entry_histories e
       set entered_at = e.entered_at - make_interval(secs => ${seconds}),
           left_at = e.left_at - make_interval(secs => ${seconds})
      from rooms r
     where r.id = e.room_id and r.closed_at is null and r.tenant_id = ${tenantId}
       and exists (select 1 from entry_histories inside
                    where inside.room_id = r.id and inside.left_at is null)
       and (${roomId ?? null}::uuid is null or r.id = ${roomId ?? null})
  `
}
