import type { Query, Tx } from '../../platform/db/db.ts'

/** The rooms of a tenant, or the one room, in which somebody is, and whose slot goes on. */
export async function listOccupiedRooms(
  query: Query,
  { tenantId, roomId }: { tenantId: string; roomId?: string },
): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select r.id
      from rooms r
      join sessions s on s.room_id = r.id
     where r.tenant_id = ${tenantId} and r.closed_at is null
       and (${roomId ?? null}::uuid is null or r.id = ${roomId ?? null})
       and s.ends_at > statement_timestamp()
       and exists (select 1 from entry_histories e where e.room_id = r.id and e.left_at is null)
  `
  return rows.map(({ id }) => id)
}

/** Moves the attendance in these rooms into the past. */
export async function ageEntries(
  tx: Tx,
  { roomIds, seconds }: { roomIds: readonly string[]; seconds: number },
): Promise<void> {
  await tx`
    update entry_histories
       set entered_at = entered_at - make_interval(secs => ${seconds}),
           left_at = left_at - make_interval(secs => ${seconds})
     where room_id = any(${[...roomIds]}::uuid[])
  `
}
