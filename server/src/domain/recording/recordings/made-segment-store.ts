import { json, type Query } from '../../../platform/db/db.ts'
import type { CompleteSegment } from './segment.ts'

/**
 * Stores which of all segments the storage lacks. Returns the times since when these have been missing, by id. One check proves
 * little: a volume may not be mounted yet, or a list may be incomplete. So the time counts from the first check that missed it.
 */
export async function noteMissing(
  query: Query,
  { all, missing, at }: { all: readonly string[]; missing: readonly string[]; at: Date },
): Promise<ReadonlyMap<string, Date>> {
  const rows = await query<{ id: string; since: Date | null }[]>`
    update recording_segments
       set missing_since = case when id = any(${[...missing]}) then coalesce(missing_since, ${at}) end
     where id = any(${[...all]})
    returning id, missing_since as since
  `
  return new Map(rows.flatMap(({ id, since }) => (since === null ? [] : [[id, since] as const])))
}

/** Stores the gaps in a segment's capture, or its length in the recording's file. The provider may have reported another one. */
export async function noteMade(
  query: Query,
  {
    id,
    absences,
    durationSec = null,
  }: Pick<CompleteSegment, 'id'> & {
    absences?: CompleteSegment['absences']
    durationSec?: number | null
  },
): Promise<void> {
  await query`
    update recording_segments
       set absences = coalesce(${absences === undefined ? null : json(absences)}::jsonb, absences),
           duration_sec = coalesce(${durationSec}, duration_sec)
     where id = ${id}
  `
}
