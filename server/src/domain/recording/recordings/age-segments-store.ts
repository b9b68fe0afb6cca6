import type { Tx } from '../../../platform/db/db.ts'

/** Moves what was recorded in these rooms into the past. A running segment gets that much longer. */
export async function ageSegments(
  tx: Tx,
  { roomIds, seconds }: { roomIds: readonly string[]; seconds: number },
): Promise<void> {
  const moved = tx`make_interval(secs => ${seconds})`
  const rooms = [...roomIds]
  await tx`
    update recording_intervals i
       set began_at = i.began_at - ${moved}, ended_at = i.ended_at - ${moved}
      from recordings c
     where c.id = i.recording_id and c.room_id = any(${rooms}::uuid[])
  `
  await tx`
    update published_tracks
       set published_at = published_at - ${moved}, unpublished_at = unpublished_at - ${moved}
     where room_id = any(${rooms}::uuid[])
  `
  await tx`
    update recording_segments
       set started_at = started_at - ${moved}, ended_at = ended_at - ${moved}
     where room_id = any(${rooms}::uuid[])
  `
}

/** Moves the unfinished segments of a tenant, or of one room, closer to their deadlines. Returns their rooms. */
export async function ageDeadlines(
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
  return rows.map((row) => row.roomId)
}
