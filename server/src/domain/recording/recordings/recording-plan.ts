import { desiredActionOf, isWanted } from './desired-recording.ts'
import type { RecordingState } from './recording-state.ts'
import { RESTARTS_MAX, type StopReason } from './recording.ts'
import type { RunningRow } from './running-store.ts'
import type { Consequence } from './segment-consequence.ts'
import { deadlinesOf } from './segment-limits.ts'
import { isFinal, isInDoubt, isLost, isOver, type Segment, type SegmentPerson } from './segment.ts'

/** A step for the recording of a room. */
export type Step =
  | { do: 'start' }
  | { do: 'stop'; reason: StopReason }
  /**
   * Begins another segment for each of these people, or one for all together. `isRetry`: the previous one did not begin.
   */
  | { do: 'go_on'; position: number; people: readonly SegmentPerson[]; isRetry: boolean }
  /** Ends the recording: it was interrupted too often, or its egress is over and the storage does not answer. */
  | { do: 'give_up'; consequences: readonly Consequence[] }
  | { do: 'nothing' }

/** `lookAt`: the time of the next decision if nothing happens before. */
export interface Decision {
  step: Step
  lookAt?: Date | undefined
}

/** Pause before the next attempt if the segment after an interruption did not begin. */
const AFTER_FAILED_RESTART_MS = 10_000
/** Pause after a person's segment failed, before the next one begins. */
const AFTER_FAILURE_MS = 30_000
/** Number of a person's failed segments after which there are no more. */
const FAILURES_MAX = 6
const NOTHING: Step = { do: 'nothing' }

/** True if the decision depends on the published tracks. Only then is the provider asked for them. */
export function dependsOnPublishers({ room, running, last }: RecordingState): boolean {
  return running === undefined
    ? isWanted(room.archiveMode, last) && room.presentCount > 0
    : running.status === 'started' && running.outputMode === 'individual'
}

/**
 * The next step for the recording.
 * @param publishers people with a published track.
 */
export function stepOf(
  facts: RecordingState,
  publishers: readonly SegmentPerson[],
  now: Date,
): Decision {
  const action = desiredActionOf(facts, publishers.length > 0, now)
  if (action.do === 'start' || action.do === 'stop') return { step: action }
  const { step, lookAt } = stepOfRunning(facts, publishers, now)
  return { step, lookAt: earliestOf([action.do === 'look' ? action.at : undefined, lookAt]) }
}

function stepOfRunning(
  { running, segments, consents }: RecordingState,
  publishers: readonly SegmentPerson[],
  now: Date,
): Decision {
  if (running === undefined) return { step: NOTHING }
  const { status, outputMode, interruptedAt } = running
  if (status === 'paused' && interruptedAt !== null) {
    return stepOfInterrupted({ ...running, interruptedAt }, segments, now)
  }
  if (status === 'paused') return { step: NOTHING }
  if (outputMode === 'composed') return { step: stepOfWritten(segments.at(-1)) }
  const people = publishers.filter(
    (person) =>
      !consents.missing.includes(person.mediaIdentity) && isWithoutSegment(person, segments, now),
  )
  if (people.length === 0) return { step: NOTHING }
  return { step: { do: 'go_on', position: lastPositionOf(segments), people, isRetry: false } }
}

/** Lets the next recording start before the storage has been checked for this one. */
function stepOfWritten(last: Segment | undefined): Step {
  if (last === undefined || !isInDoubt(last)) return NOTHING
  return { do: 'give_up', consequences: [{ do: 'stop' }] }
}

/** Its recorder died, so another segment begins, at most `RESTARTS_MAX` times. */
function stepOfInterrupted(
  { interruptedAt, restarts }: RunningRow & { interruptedAt: Date },
  segments: readonly Segment[],
  now: Date,
): Decision {
  // Ignore segments that were asked to end: a stalled recorder may take a while.
  if (segments.some((each) => !isOver(each) && each.endsAskedAt === null)) return { step: NOTHING }
  const failed = segments.findLast(({ createdAt }) => createdAt >= interruptedAt)
  const isRetry = failed !== undefined
  if (isRetry) {
    const at = new Date(failed.statusAt.getTime() + AFTER_FAILED_RESTART_MS)
    if (now < at) return { step: NOTHING, lookAt: at }
    if (restarts >= RESTARTS_MAX) return { step: { do: 'give_up', consequences: endOf(segments) } }
  }
  const position = lastPositionOf(segments) + 1
  return { step: { do: 'go_on', position, people: [], isRetry } }
}

/** Ends the recording with what there is. A segment that has not ended yet may have content, and decides when it ends. */
function endOf(segments: readonly Segment[]): readonly Consequence[] {
  if (!segments.every((each) => isFinal(each))) return [{ do: 'stop' }]
  const isKept = segments.some(({ status }) => status === 'complete')
  return isKept ? [{ do: 'stop' }, { do: 'finish' }] : [{ do: 'fail', reason: 'provider_failed' }]
}

function lastPositionOf(segments: readonly Segment[]): number {
  return Math.max(0, ...segments.map((each) => each.position))
}

function isWithoutSegment(
  { mediaIdentity }: SegmentPerson,
  segments: readonly Segment[],
  now: Date,
): boolean {
  const theirs = segments.filter(({ person }) => person?.mediaIdentity === mediaIdentity)
  if (theirs.some((each) => !isOver(each) && !isStalled(each))) return false
  const last = theirs.at(-1)
  if (theirs.filter((each) => hasFailed(each)).length >= FAILURES_MAX) return false
  if (last === undefined || last.status === 'complete' || isStalled(last)) return true
  return now.getTime() >= last.statusAt.getTime() + AFTER_FAILURE_MS
}

function hasFailed(segment: Segment): boolean {
  return isLost(segment) || isStalled(segment) || isInDoubt(segment)
}

function isStalled(segment: Segment): boolean {
  return segment.status !== 'requested' && segment.stalledAt !== null
}

/**
 * The time of the next check of the room. Returns undefined when nothing is unfinished.
 * @param lookAt the time that the decision about the recording asked for.
 * @param everySec interval of reading the provider's list while something is unfinished.
 */
export function nextLookAt(
  unfinished: readonly Segment[],
  lookAt: Date | undefined,
  now: Date,
  everySec: number,
): Date | undefined {
  const times = unfinished.flatMap((segment) => deadlinesOf(segment).map(({ at }) => at))
  if (unfinished.length > 0) times.push(new Date(now.getTime() + everySec * 1000))
  return earliestOf([...times, lookAt].filter((at) => at !== undefined && at > now))
}

function earliestOf(times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((at) => at !== undefined)
  return known.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
