import type { Query, Tx } from '../../../platform/db/db.ts'
import type { Span } from './spans.ts'

interface IntervalChange {
  recordingId: string
  at: Date
}

/** From now on it is wanted; nothing changes where it is. */
export async function beginInterval(tx: Tx, { recordingId, at }: IntervalChange): Promise<void> {
  await tx`
    insert into recording_intervals (recording_id, began_at)
    values (${recordingId}, ${at})
    on conflict do nothing
  `
}

/** It was wanted until now. */
export async function endInterval(tx: Tx, { recordingId, at }: IntervalChange): Promise<void> {
  await tx`
    update recording_intervals
       set ended_at = greatest(began_at, ${at})
     where recording_id = ${recordingId} and ended_at is null
  `
}

/** When it was wanted, in order: until `now` where it still is. Empty for one of a former version. */
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
