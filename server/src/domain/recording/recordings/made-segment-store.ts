import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { ActiveSegment, CompleteSegment } from './segment.ts'

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

type FiledSegment = Pick<CompleteSegment, 'id'> & {
  /** Its length in the recording's file. */
  durationSec: number
}

/** Stores the absences in its capture, and its length in the file. */
export async function noteComposed(
  query: Query,
  { id, absences, durationSec }: FiledSegment & Pick<CompleteSegment, 'absences'>,
): Promise<void> {
  await query`
    update recording_segments
       set absences = ${json(absences)}::jsonb, duration_sec = ${durationSec}
     where id = ${id}
  `
}

/** Stores what a running segment lacks. */
export async function noteLacks(
  query: Query,
  { id, absences }: Pick<ActiveSegment, 'id' | 'absences'>,
): Promise<void> {
  await query`
    update recording_segments set absences = ${json(absences)}::jsonb
     where id = ${id} and status = 'active'
  `
}

/** Marks a segment as unreadable, although it has a file. */
export async function noteUnreadable(
  query: Query,
  { id, absences }: Pick<CompleteSegment, 'id' | 'absences'>,
): Promise<void> {
  await query`update recording_segments set absences = ${json(absences)}::jsonb where id = ${id}`
}

/** Stores the length of its video in the file. The provider may have reported another one. */
export async function noteJoined(query: Query, { id, durationSec }: FiledSegment): Promise<void> {
  await query`update recording_segments set duration_sec = ${durationSec} where id = ${id}`
}

/** Deletes segments whose content is in the recording's file by now. */
export async function deleteSegments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`delete from recording_segments where id = any(${[...ids]})`
}
