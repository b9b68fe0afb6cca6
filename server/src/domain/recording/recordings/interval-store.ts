import type { Query, Tx } from '../../../platform/db/db.ts'
import type { Span } from './spans.ts'

/** Records that the recording is wanted from now on. Does nothing if it already is. */
export async function beginInterval(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    insert into recording_intervals (recording_id, began_at)
    values (${recordingId}, ${at})
    on conflict do nothing
  `
}

/** Records that the recording is no longer wanted. */
export async function endInterval(tx: Tx, recordingId: string, at: Date): Promise<void> {
  await tx`
    update recording_intervals
       set ended_at = greatest(began_at, ${at})
     where recording_id = ${recordingId} and ended_at is null
  `
}

/**
 * The times when the recording was wanted, in order, until `now` if it still is. Empty for recordings of an earlier
 * version.
 */
export async function listIntervals(query: Query, recordingId: string, now: Date): Promise<Span[]> {
  const rows = await query<{ beganAt: Date; endedAt: Date | null }[]>`
    select began_at as "beganAt", ended_at as "endedAt"
      from recording_intervals
     where recording_id = ${recordingId}
     order by began_at
  `
  return rows.map(({ beganAt, endedAt }) => ({
    fromMs: beganAt.getTime(),
    toMs: (endedAt ?? now).getTime(),
  }))
}
