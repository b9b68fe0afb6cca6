import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { CompleteSegment } from './segment.ts'

/**
 * Stores which segments the storage has and which it lacks. Returns the times since when the lacking ones have been
 * missing, by id.
 */
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
