import { RECORDING_GAP_MIN_SEC } from '@interview-room/contract/limits.ts'
import type { GapReason } from '@interview-room/contract/recording-reports.ts'
import type { OutputMode } from '@interview-room/contract/vocabulary.ts'
import {
  type Absence,
  isFinal,
  isLost,
  type Segment,
  type SegmentPerson,
  startedAtOf,
  writtenUntil,
} from './segment.ts'
import { difference, intersection, type Span, totalSec, union } from './spans.ts'

/** A person who may be in a recording, with the times when they published a track in the room. */
export interface PublishingPerson extends SegmentPerson {
  published: readonly Span[]
}

interface Gap extends Span {
  reason: GapReason
}

/** The time that a person should be in a recording, and the time that they are. */
interface PersonCompleteness extends SegmentPerson {
  expectedSec: number
  actualSec: number
  gaps: readonly Gap[]
}

export interface Completeness {
  /** Null while it is unknown. */
  isComplete: boolean | null
  /** Total time during which anybody is missing. */
  missingSec: number
  people: readonly PersonCompleteness[]
}

interface RecordedFacts {
  outputMode: OutputMode
  /** The end of the written part of a running segment. */
  now: Date
  /** Times from an order to record until a pause or the end. Empty for recordings from before these were stored. */
  wanted: readonly Span[]
  people: readonly PublishingPerson[]
  segments: readonly Segment[]
}

/** Compares the expected recording with the actual one. A pause is no gap. */
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
    const parts = theirs.map((segment) => ({
      captured: capturedIn(segment, person, now),
      lacks: lacksIn(segment, person, now),
    }))
    const covered = union(parts.flatMap(({ captured, lacks }) => difference(captured, lacks)))
    const uncaptured = difference(
      expected,
      parts.flatMap(({ captured }) => captured),
    ).map((gap) => ({ ...gap, reason: reasonOf(gap, { expected, segments: theirs }) }))
    const causes = [...uncaptured, ...parts.flatMap(({ lacks }) => lacks)]
    return [
      {
        ...whom,
        expectedSec: totalSec(expected),
        actualSec: totalSec(intersection(expected, covered)),
        gaps: difference(expected, covered)
          .filter(isListed)
          .flatMap((gap) => partsOf(gap, causes)),
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

/** The time that a segment covers. Empty if it was lost. A running segment covers the time written so far. */
export function spanOf(segment: Segment, now: Date): Span[] {
  const fromMs = startedAtOf(segment)?.getTime()
  if (fromMs === undefined || isLost(segment)) return []
  if (segment.status === 'complete') {
    const { durationSec } = segment
    return durationSec > 0 ? [{ fromMs, toMs: fromMs + durationSec * 1000 }] : []
  }
  return [{ fromMs, toMs: writtenUntil(segment, now).getTime() }]
}

/** The file includes the time when its recorder was away, from everybody or from one person, but has no media from then. */
function capturedIn(segment: Segment, person: SegmentPerson, now: Date): Span[] {
  const away = absencesOf(segment, person).filter((absence) => lackOf(absence) === undefined)
  return difference(spanOf(segment, now), away)
}

/** Times when something of this person is missing although the recorder was there. The first reason counts. */
function lacksIn(segment: Segment, person: SegmentPerson, now: Date): Gap[] {
  const lacks = absencesOf(segment, person).flatMap((absence): Gap[] => {
    const reason = lackOf(absence)
    if (reason === undefined) return []
    return intersection([absence], spanOf(segment, now)).map((span) => ({ ...span, reason }))
  })
  return lacks.toSorted((a, b) => LACKS.indexOf(a.reason) - LACKS.indexOf(b.reason))
}

/** Something that is never captured explains more than something that did not come. */
const LACKS: readonly GapReason[] = ['encrypted', 'codec_unsupported', 'no_media']

function lackOf({ reason, codec }: Absence): GapReason | undefined {
  return reason ?? (codec === undefined ? undefined : 'codec_unsupported')
}

/** An absence without an identity counts for everybody. */
function absencesOf(segment: Segment, { mediaIdentity }: SegmentPerson): Absence[] {
  const absences = 'absences' in segment ? segment.absences : []
  return absences.filter((each) => (each.mediaIdentity ?? mediaIdentity) === mediaIdentity)
}

function isListed({ fromMs, toMs }: Span): boolean {
  return toMs - fromMs >= RECORDING_GAP_MIN_SEC * 1000
}

/** Splits a gap by its reasons. A part that is too short to be listed belongs to its neighbour. */
function partsOf(gap: Span, causes: readonly Gap[]): Gap[] {
  const changes = causes
    .flatMap(({ fromMs, toMs }) => [fromMs, toMs])
    .filter((ms) => ms > gap.fromMs && ms < gap.toMs)
  const bounds = [...new Set([gap.fromMs, ...changes, gap.toMs])].toSorted((a, b) => a - b)
  const parts: Gap[] = []
  for (const [index, toMs] of bounds.slice(1).entries()) {
    const fromMs = bounds[index] ?? toMs
    const cause = causes.find((each) => each.fromMs <= fromMs && each.toMs >= toMs)
    const last = parts.at(-1)
    const part = { fromMs, toMs, reason: cause?.reason ?? last?.reason ?? 'recorder_failed' }
    const isOwn = part.reason !== last?.reason && isListed(part)
    if (last === undefined || (isOwn && isListed(last))) parts.push(part)
    else Object.assign(last, { toMs, ...(isOwn && { reason: part.reason }) })
  }
  return parts
}

const OF_STORAGE: readonly (string | null)[] = ['upload_failed', 'storage_missing']

/** The reason why nobody was recorded in the gap: a segment was lost, none had begun yet, or one ended early. */
function reasonOf(
  gap: Span,
  { expected, segments }: { expected: readonly Span[]; segments: readonly Segment[] },
): GapReason {
  const lost = segments
    .filter((each) => isLost(each))
    .filter(
      ({ createdAt, statusAt }) =>
        createdAt.getTime() < gap.toMs && statusAt.getTime() > gap.fromMs,
    )
  if (lost.some(({ failureReason }) => OF_STORAGE.includes(failureReason))) return 'storage_failed'
  if (lost.length > 0 || segments.some((segment) => isWithin(gap, segment))) {
    return 'recorder_failed'
  }
  return expected.some(({ fromMs }) => fromMs === gap.fromMs) ? 'late_start' : 'recorder_failed'
}

/** True if the span begins inside a segment, which therefore lacks it. */
function isWithin({ fromMs }: Span, segment: Segment): boolean {
  const beganMs = startedAtOf(segment)?.getTime()
  if (beganMs === undefined || segment.status !== 'complete') return false
  return beganMs <= fromMs && fromMs < beganMs + segment.durationSec * 1000
}
