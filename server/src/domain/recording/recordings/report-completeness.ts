import type { RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import { appendRoomEvent } from '../../room-log/append-room-event.ts'
import { completenessOf, type PublishingPerson, spanOf } from './completeness.ts'
import type { Recording } from './recording.ts'
import {
  listIntervals,
  listPublishedStays,
  type PublishedStay,
  findReport,
  insertReport,
  type RecordingReport,
} from './report-store.ts'
import { listSegments } from './segment-store.ts'
import type { Segment } from './segment.ts'
import { type RecordedSpan, union } from './spans.ts'
import type { LockedRecording } from './store.ts'

type ReportedRecording = Pick<Recording, 'id' | 'roomId' | 'outputMode'>

/** The report of what was recorded and what is missing: stored when the file was finished, computed before that. */
export async function readReport(
  query: Query,
  recording: ReportedRecording & Pick<Recording, 'status'>,
  now: Date,
): Promise<RecordingReport> {
  const isFinished = FINISHED.includes(recording.status)
  const stored = isFinished ? await findReport(query, recording.id) : undefined
  if (stored !== undefined) return stored
  const report = await makeReport(query, recording, now)
  // A final segment may still turn out to be lost, and after a pause others follow.
  return isFinished ? report : { ...report, isComplete: null }
}

const FINISHED: readonly RecordingStatus[] = ['available', 'expired', 'failed']

/** Computes the report from the segments, which exist until the recording is available. */
export async function makeReport(
  query: Query,
  { id, roomId, outputMode }: ReportedRecording,
  now: Date,
): Promise<RecordingReport> {
  const segments = await listSegments(query, id)
  const wanted = await listIntervals(query, id, now)
  const from = new Date(wanted[0]?.fromMs ?? now)
  const to = new Date(wanted.at(-1)?.toMs ?? now)
  const stays = await listPublishedStays(query, { roomId, from, to })
  const people = peopleOf(stays, to)
  return {
    ...completenessOf({ outputMode, now, wanted, people, segments }),
    segments: spansOf(
      outputMode,
      segments.flatMap((segment) => recordedOf(segment, now)),
    ),
  }
}

/** A composed part has a whole number of frames, of which the last one begins before the command to end. */
const LAST_FRAME_MAX_MS = 100

function recordedOf(segment: Segment, now: Date): RecordedSpan[] {
  const untilMs = segment.endsAskedAt?.getTime() ?? 0
  return spanOf(segment, now).map((span) => {
    const missingMs = untilMs - span.toMs
    return missingMs > 0 && missingMs <= LAST_FRAME_MAX_MS ? { ...span, untilMs } : span
  })
}

/** Segments of different people run in parallel. */
function spansOf(
  outputMode: Recording['outputMode'],
  spans: readonly RecordedSpan[],
): RecordedSpan[] {
  if (outputMode === 'individual') return union(spans)
  return spans.toSorted((a, b) => a.fromMs - b.fromMs)
}

function peopleOf(stays: readonly PublishedStay[], until: Date): PublishingPerson[] {
  const people = new Map<string, PublishedStay[]>()
  for (const stay of stays) {
    people.set(stay.mediaIdentity, [...(people.get(stay.mediaIdentity) ?? []), stay])
  }
  return [...people.values()].flatMap((theirs) => {
    const [first] = theirs
    if (first === undefined) return []
    const { mediaIdentity, participantId, role, displayName } = first
    const published = theirs.map(({ publishedAt, endedAt }) => ({
      fromMs: publishedAt.getTime(),
      toMs: (endedAt ?? until).getTime(),
    }))
    return [{ mediaIdentity, participantId, role, displayName, published: union(published) }]
  })
}

/** Stores the report before the segments are deleted, and logs gaps in the room, once. */
export async function storeReport(
  tx: Tx,
  recording: LockedRecording,
  { now, isAnnounced }: { now: Date; isAnnounced: boolean },
): Promise<void> {
  const report = await makeReport(tx, recording, now)
  if (!(await insertReport(tx, recording.id, { ...report, at: now }))) return
  if (report.isComplete !== false || !isAnnounced) return
  const payload = { recording_id: recording.id, missing_sec: rounded(report.missingSec) }
  await appendRoomEvent(tx, { ...recording, eventType: 'recording.incomplete', payload })
}

/** Rounds to milliseconds. */
export function rounded(sec: number): number {
  return Math.round(sec * 1000) / 1000
}
