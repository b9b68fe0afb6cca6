import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { Completeness } from './completeness.ts'
import type { Span } from './spans.ts'

/** What is known of a recording when its segments are gone. */
export interface RecordingReport extends Completeness {
  /** What was recorded, in order. */
  segments: readonly Span[]
}

/** False when it was made before. */
export async function insertReport(
  tx: Tx,
  recordingId: string,
  { isComplete, missingSec, people, segments, at }: RecordingReport & { at: Date },
): Promise<boolean> {
  const { count } = await tx`
    insert into recording_reports (recording_id, is_complete, missing_sec, people, segments, made_at)
    values (${recordingId}, ${isComplete}, ${missingSec}, ${json(people)}::jsonb,
            ${json(segments)}::jsonb, ${at})
    on conflict do nothing
  `
  return count === 1
}

export async function findReport(
  query: Query,
  recordingId: string,
): Promise<RecordingReport | undefined> {
  const [row] = await query<RecordingReport[]>`
    select is_complete as "isComplete", missing_sec as "missingSec", people, segments
      from recording_reports
     where recording_id = ${recordingId}
  `
  return row
}
