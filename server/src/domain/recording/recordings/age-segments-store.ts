import type { Tx } from '../../../platform/db/db.ts'

/** Rooms whose past is moved: those of a tenant in which somebody is, or one of them. */
interface AgedRooms {
  tenantId: string
  roomId?: string
  seconds: number
}

/**
 * Moves what was recorded in occupied rooms of a tenant, or in one room, into the past. A running segment gets longer there,
 * and what waits is closer to its deadline in every room. Returns the rooms with unfinished segments.
 */
export async function ageSegments(
  tx: Tx,
  { tenantId, roomId, seconds }: AgedRooms,
): Promise<string[]> {
  const moved = tx`make_interval(secs => ${seconds})`
  const isAged = tx`
    r.tenant_id = ${tenantId} and (${roomId ?? null}::uuid is null or r.id = ${roomId ?? null})
  `
  const isOccupied = tx`
    r.closed_at is null and exists (select 1 from entry_histories inside
                                     where inside.room_id = r.id and inside.left_at is null)
  `
  await tx`
    update recording_intervals i
       set began_at = i.began_at - ${moved}, ended_at = i.ended_at - ${moved}
      from recordings c join rooms r on r.id = c.room_id
     where c.id = i.recording_id and ${isAged} and ${isOccupied}
  `
  await tx`
    update published_tracks t
       set published_at = t.published_at - ${moved}, unpublished_at = t.unpublished_at - ${moved}
      from rooms r
     where r.id = t.room_id and ${isAged} and ${isOccupied}
  `
  await tx`
    update recording_segments s
       set started_at = s.started_at - ${moved}, ended_at = s.ended_at - ${moved}
      from rooms r
     where r.id = s.room_id and ${isAged} and ${isOccupied}
  `
  const rows = await tx<{ roomId: string }[]>`
    update recording_segments s
       set status_at = s.status_at - ${moved}, ends_asked_at = s.ends_asked_at - ${moved}
      from rooms r
     where r.id = s.room_id and ${isAged}
       and s.status not in ('complete', 'failed', 'aborted')
    returning s.room_id as "roomId"
  `
  return rows.map(({ roomId: room }) => room)
}
