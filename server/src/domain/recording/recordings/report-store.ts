import { json, type Query, type Tx } from '../../../platform/db/db.ts'
import type { Completeness } from './completeness.ts'
import type { Span } from './spans.ts'

/** The facts about a recording that outlive its segments. */
export interface RecordingReport extends Completeness {
  /** The recorded times, in order. */
  segments: readonly Span[]
}

/** Returns false when it was stored before. */
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
