import { RECORDING_GAP_MIN_SEC } from '@interview-room/contract/limits.ts'
import type { GapReason } from '@interview-room/contract/recording-reports.ts'
import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import { isFinal, type Segment, type SegmentPerson } from './segment.ts'
import { difference, intersection, type Span, totalSec, union } from './spans.ts'

/** Somebody who may be in a recording, and when they were in the room with a track. */
export interface PublishingPerson extends SegmentPerson {
  published: readonly Span[]
}

interface Gap extends Span {
  reason: GapReason
}

/** How much of somebody should be in a recording, and is. */
interface PersonCompleteness extends SegmentPerson {
  expectedSec: number
  actualSec: number
  gaps: readonly Gap[]
}

export interface Completeness {
  /** Null while it cannot be known. */
  isComplete: boolean | null
  /** During which somebody is missing. */
  missingSec: number
  people: readonly PersonCompleteness[]
}

interface RecordedFacts {
  outputMode: OutputMode
  /** Until when what is still written counts. */
  now: Date
  /** From an order to record until a pause or the end; empty where that was not stored. */
  wanted: readonly Span[]
  people: readonly PublishingPerson[]
  segments: readonly Segment[]
}

/** Compares what should have been recorded with what was. A pause is no gap. */
export function completenessOf({
  outputMode,
  now,
  wanted,
  people,
  segments,
}: RecordedFacts): Completeness {
  const found = people.flatMap((person): PersonCompleteness[] => {
    const theirs = outputMode === 'composed' ? segments : segmentsOf(person, segments)
    const expected = intersection(wanted, person.published)
    if (expected.length === 0) return []
    const { published: _, ...whom } = person
    const captured = union(theirs.flatMap((segment) => capturedIn(segment, now)))
    const covered = union(
      theirs.flatMap((segment) => difference(capturedIn(segment, now), unreadIn(segment, person))),
    )
    return [
      {
        ...whom,
        expectedSec: totalSec(expected),
        actualSec: totalSec(intersection(expected, covered)),
        gaps: [
          ...gapsOf(expected, captured).map((gap) => ({
            ...gap,
            reason: reasonOf(gap, { expected, segments: theirs }),
          })),
          ...gapsOf(intersection(expected, captured), covered).map((gap) => ({
            ...gap,
            reason: 'codec_unsupported' as const,
          })),
        ].toSorted((a, b) => a.fromMs - b.fromMs),
      },
    ]
  })
  const missingSec = totalSec(union(found.flatMap(({ gaps }) => gaps)))
  const isKnown =
    wanted.length > 0 && found.length > 0 && segments.every((segment) => isFinal(segment))
  return { isComplete: isKnown ? missingSec === 0 : null, missingSec, people: found }
}

function segmentsOf(
  { mediaIdentity }: SegmentPerson,
  segments: readonly Segment[],
): readonly Segment[] {
  return segments.filter(({ person }) => person?.mediaIdentity === mediaIdentity)
}

/** When media of it begin, by our clock: those of recorders may differ. */
export function beganMsOf({
  startedAt,
  clockOffsetMs,
}: Pick<Segment, 'startedAt' | 'clockOffsetMs'>): number | undefined {
  return startedAt === null ? undefined : startedAt.getTime() - (clockOffsetMs ?? 0)
}

/** What of the time is in a segment that was not lost: of a running one, what is written by now. */
export function spanOf(segment: Segment, now: Date): Span[] {
  const { status, durationSec, grownAt, stalledAt, endsAskedAt, statusAt } = segment
  const fromMs = beganMsOf(segment)
  if (fromMs === undefined || status === 'failed' || status === 'aborted') return []
  if (durationSec !== null) {
    return durationSec > 0 ? [{ fromMs, toMs: fromMs + durationSec * 1000 }] : []
  }
  const isEnding = status === 'ending' ? statusAt : null
  const to = stalledAt ?? endsAskedAt ?? isEnding ?? grownAt ?? now
  return [{ fromMs, toMs: to.getTime() }]
}

/** Its file is as long, but has nothing of when its recorder was away. */
function capturedIn(segment: Segment, now: Date): Span[] {
  const ofEverybody = segment.absences.filter(({ codec }) => codec === undefined)
  return difference(spanOf(segment, now), ofEverybody)
}

/** When something of this person came in a codec that is not captured; whose it was may be unknown. */
function unreadIn(
  { absences }: Segment,
  { mediaIdentity }: Pick<SegmentPerson, 'mediaIdentity'>,
): Span[] {
  return absences.filter(
    (each) => each.codec !== undefined && (each.mediaIdentity ?? mediaIdentity) === mediaIdentity,
  )
}

function gapsOf(expected: readonly Span[], covered: readonly Span[]): Span[] {
  return difference(expected, covered).filter(
    ({ fromMs, toMs }) => toMs - fromMs >= RECORDING_GAP_MIN_SEC * 1000,
  )
}

const OF_STORAGE: readonly (string | null)[] = ['upload_failed', 'storage_missing']

/** Why nobody was recorded then: a segment was lost, none had begun yet, or one ended early. */
function reasonOf(
  gap: Span,
  { expected, segments }: { expected: readonly Span[]; segments: readonly Segment[] },
): GapReason {
  const lost = segments.filter(
    ({ status, createdAt, statusAt }) =>
      (status === 'failed' || status === 'aborted') &&
      createdAt.getTime() < gap.toMs &&
      statusAt.getTime() > gap.fromMs,
  )
  if (lost.some(({ failureReason }) => OF_STORAGE.includes(failureReason))) return 'storage_failed'
  if (lost.length > 0 || segments.some((segment) => isWithin(gap, segment))) {
    return 'recorder_failed'
  }
  return expected.some(({ fromMs }) => fromMs === gap.fromMs) ? 'late_start' : 'recorder_failed'
}

/** Whether it begins in a segment, which then holds nothing of it. */
function isWithin({ fromMs }: Span, segment: Segment): boolean {
  const beganMs = beganMsOf(segment)
  if (beganMs === undefined) return false
  return beganMs <= fromMs && fromMs < beganMs + (segment.durationSec ?? 0) * 1000
}
