import type { Tx } from '../../platform/db/db.ts'

/** Moves the events of these rooms into the past. */
export async function ageRoomLog(
  tx: Tx,
  { roomIds, seconds }: { roomIds: readonly string[]; seconds: number },
): Promise<void> {
  await tx`
    update room_events
       set created_at = created_at - make_interval(secs => ${seconds})
     where room_id = any(${[...roomIds]}::uuid[])
  `
}
