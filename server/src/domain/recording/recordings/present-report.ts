import type {
  RecordingCompletenessBody,
  RecordingTimelineBody,
  TimelineItem,
} from '@interview-room/contract/recording-reports.ts'
import type { RecordingActivityBody } from '@interview-room/contract/review.ts'
import type { PersonActivity } from './activity-store.ts'
import { rounded } from './report-completeness.ts'
import type { RecordingReport } from './report-store.ts'
import { totalSec } from './spans.ts'
import type { PlacedEvent, PlacedSpan } from './timeline.ts'

export function presentCompleteness(
  recordingId: string,
  { isComplete, missingSec, people }: RecordingReport,
): RecordingCompletenessBody {
  return {
    recording_id: recordingId,
    is_complete: isComplete,
    missing_sec: rounded(missingSec),
    people: people.map(({ participantId, role, displayName, expectedSec, actualSec, gaps }) => ({
      participant_id: participantId,
      role,
      display_name: displayName,
      expected_sec: rounded(expectedSec),
      actual_sec: rounded(actualSec),
      gaps: gaps.map(({ fromMs, toMs, reason }) => ({
        started_at: isoOf(fromMs),
        ended_at: isoOf(toMs),
        duration_sec: rounded((toMs - fromMs) / 1000),
        reason,
      })),
      short_gaps_sec: rounded(Math.max(0, expectedSec - actualSec - totalSec(gaps))),
    })),
  }
}

export function presentActivity(
  recordingId: string,
  activities: readonly PersonActivity[],
): RecordingActivityBody {
  return {
    recording_id: recordingId,
    people: activities.map(({ participantId, role, displayName, speech, levels }) => ({
      participant_id: participantId,
      role,
      display_name: displayName,
      speech: speech.map(({ fromMs, toMs }) => ({
        start_sec: rounded(fromMs / 1000),
        end_sec: rounded(toMs / 1000),
      })),
      levels,
    })),
  }
}

export function presentSegment({
  fromMs,
  toMs,
  offsetSec,
}: PlacedSpan): RecordingTimelineBody['segments'][number] {
  return { started_at: isoOf(fromMs), ended_at: isoOf(toMs), offset_sec: rounded(offsetSec) }
}

export function presentTimelineItem({ event, offsetSec }: PlacedEvent): TimelineItem {
  return {
    type: event.eventType,
    at: event.at.toISOString(),
    offset_sec: rounded(offsetSec),
    payload: event.payload,
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
