import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { Segment } from './segment.ts'

/** Notes which segments the storage has, and which it does not; answers since when, by their ids. */
export async function noteMissing(
  tx: Tx,
  { there, missing, at }: { there: readonly string[]; missing: readonly string[]; at: Date },
): Promise<ReadonlyMap<string, Date>> {
  await tx`
    update recording_segments set missing_since = null
     where id = any(${[...there]}) and missing_since is not null
  `
  const rows = await tx<{ id: string; since: Date }[]>`
    update recording_segments set missing_since = coalesce(missing_since, ${at})
     where id = any(${[...missing]})
    returning id, missing_since as since
  `
  return new Map(rows.map(({ id, since }) => [id, since]))
}

/** What was complete, and is not there or of no use after all. */
export async function markLost(
  tx: Tx,
  id: string,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await tx`
    update recording_segments
       set status = 'failed', status_at = ${at}, failure_reason = ${reason}
     where id = ${id} and status = 'complete'
  `
}

type FiledSegment = Pick<Segment, 'id'> & {
  /** How much of the recording's file it takes. */
  durationSec: number
}

/** What its capture lacks in the middle, and how long it is in the file. */
export async function noteComposed(
  query: Query,
  { id, absences, durationSec }: FiledSegment & Pick<Segment, 'absences'>,
): Promise<void> {
  await query`
    update recording_segments
       set absences = ${json(absences)}::jsonb, duration_sec = ${durationSec}
     where id = ${id}
  `
}

/** When nothing of it can be seen or heard, though it has a file. */
export async function noteUnreadable(
  query: Query,
  { id, absences }: Pick<Segment, 'id' | 'absences'>,
): Promise<void> {
  await query`update recording_segments set absences = ${json(absences)}::jsonb where id = ${id}`
}

/** How long its video is in the file: what its provider reported may be another length. */
export async function noteJoined(query: Query, { id, durationSec }: FiledSegment): Promise<void> {
  await query`update recording_segments set duration_sec = ${durationSec} where id = ${id}`
}

/** Those whose content is in the recording's one file by now. */
export async function deleteSegments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`delete from recording_segments where id = any(${[...ids]})`
}
