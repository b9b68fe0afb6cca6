import type { Tx } from '../../platform/db/db.ts'

/** Moves the events of a tenant's occupied rooms, or of one room, into the past. */
export async function ageRoomLog(
  tx: Tx,
  { tenantId, roomId, seconds }: { tenantId: string; roomId?: string; seconds: number },
): Promise<void> {
  await tx`
    update room_events e
       set created_at = e.created_at - make_interval(secs => ${seconds})
      from rooms r
     where r.id = e.room_id and r.closed_at is null and r.tenant_id = ${tenantId}
       and exists (select 1 from entry_histories inside
                    where inside.room_id = r.id and inside.left_at is null)
       and (${roomId ?? null}::uuid is null or r.id = ${roomId ?? null})
  `
}
