import type { Tx } from '../../../platform/db/db.ts'

/** Moves the unfinished segments of a tenant, or of one room, closer to their deadlines. Returns their rooms. */
export async function ageSegments(
  tx: Tx,
  { tenantId, roomId, seconds }: { tenantId: string; roomId?: string; seconds: number },
): Promise<string[]> {
  const rows = await tx<{ roomId: string }[]>`
    update recording_segments s
       set status_at = s.status_at - make_interval(secs => ${seconds}),
           ends_asked_at = s.ends_asked_at - make_interval(secs => ${seconds})
      from rooms r
     where r.id = s.room_id
       and r.tenant_id = ${tenantId}
       and (${roomId ?? null}::uuid is null or r.id = ${roomId ?? null})
       and s.status not in ('complete', 'failed', 'aborted')
    returning s.room_id as "roomId"
  `
  return rows.map(({ roomId }) => roomId)
}
