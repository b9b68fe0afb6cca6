import type { MediaConnection } from '../../../platform/ports/media.ts'
import type { OpenConsents } from '../../people/find-consent.ts'
import { desiredActionOf, isWanted, type StopReason } from './desired-recording.ts'
import { RESTARTS_MAX } from './recording.ts'
import type { LastRecording, RecordedPerson, RecordedRoom, RunningRow } from './running-store.ts'
import type { Consequence } from './segment-consequence.ts'
import {
  ANSWER_MAX_MS,
  type Deadline,
  deadlineOf,
  isFinal,
  isInDoubt,
  lastDeadlineOf,
  REFUSED_PAUSE_MS,
  recorderDeadlineOf,
  stallDeadlineOf,
  type Segment,
} from './segment.ts'

/** The current state of a room and its recording. */
export interface RecordingState {
  room: RecordedRoom
  /** The recording that is running or about to start. */
  running: RunningRow | undefined
  /** The newest ended recording; undefined while one is running. */
  last: LastRecording | undefined
  /** The running recording's segments, oldest first. */
  segments: readonly Segment[]
  consents: OpenConsents
}

/** A step for the recording of a room. */
export type Step =
  | { do: 'start' }
  | { do: 'stop'; reason: StopReason }
  /**
   * Begins another segment for each of these people, or one for all together. `isRetry`: the previous one did not begin.
   */
  | { do: 'go_on'; position: number; people: readonly RecordedPerson[]; isRetry: boolean }
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
/** By then, an egress that began unnoticed has ended with its media room. */
const BLIND_MAX_MS = 10 * 60_000

/** A recorder that refuses does so within this time. */
const REFUSAL_MS = 1_000

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
  publishers: readonly RecordedPerson[],
  now: Date,
): Decision {
  const { room, running, last, consents } = facts
  const action = desiredActionOf(
    {
      ...room,
      lacksConsent: consents.missing.length > 0,
      isRefused: consents.refused.length > 0,
      last,
      runningSince: running?.since ?? null,
      isPublished: publishers.length > 0,
    },
    now,
  )
  if (action.do === 'start' || action.do === 'stop') return { step: action }
  const { step, lookAt } = stepOfRunning(facts, publishers, now)
  return { step, lookAt: earliestOf([action.do === 'look' ? action.at : undefined, lookAt]) }
}

function stepOfRunning(
  { running, segments, consents }: RecordingState,
  publishers: readonly RecordedPerson[],
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
  { mediaIdentity }: RecordedPerson,
  segments: readonly Segment[],
  now: Date,
): boolean {
  const theirs = segments.filter(({ person }) => person?.mediaIdentity === mediaIdentity)
  if (theirs.some((each) => !isOver(each) && each.stalledAt === null)) return false
  const last = theirs.at(-1)
  if (theirs.filter((each) => hasFailed(each)).length >= FAILURES_MAX) return false
  if (last === undefined || last.status === 'complete' || last.stalledAt !== null) return true
  return now.getTime() >= last.statusAt.getTime() + AFTER_FAILURE_MS
}

type ObservedConnection = Pick<MediaConnection, 'identity' | 'isSending'>

function hasFailed(segment: Segment): boolean {
  const { status, stalledAt } = segment
  return status === 'failed' || status === 'aborted' || stalledAt !== null || isInDoubt(segment)
}

/** The provider's report about the media room of segments that are being written. */
export interface ObservedRoom {
  /**
   * Connections to the media room. Undefined if it was not asked, or does not exist: a media server that was restarted has lost its
   * rooms, and their recorders wait until they are made again. If nobody comes back, the recording ends because everybody has left.
   */
  connections: readonly ObservedConnection[] | undefined
  /** The recorder does not report its activity. */
  isBlind?: boolean
}

/** The outcome for a segment without a report of the provider. */
export type Settlement =
  /** Delete them: they belong to no recording. */
  | { do: 'discard'; segment: Segment }
  | { do: 'recorder_is_back'; egressId: string }
  /** Its recorder left without a report. `isCertain`: the recorder itself says that it does not know the egress. */
  | { do: 'recorder_is_dead'; segment: Segment & { egressId: string }; isCertain: boolean }
  /** The recorder is connected or cannot be asked, and writes nothing although people send. */
  | { do: 'recorder_stands_still'; segment: Segment }
  | { do: 'overdue'; segment: Segment; action: Deadline['action'] }
  /** The segment is overdue while its recorder does not answer. */
  | { do: 'look_in_storage'; segment: Segment }
  /** The provider reports a loss, so the storage decides. */
  | { do: 'judge_loss'; segment: Segment }

/** Its recorder has left, and the grace period for a report is over. */
export function isRecorderOverdue(segment: Segment, now: Date): boolean {
  const at = recorderDeadlineOf(segment)
  return at !== undefined && now >= at
}

/** It has not grown for too long. */
export function isStallOverdue(segment: Segment, now: Date): boolean {
  const at = stallDeadlineOf(segment)
  return at !== undefined && now >= at
}

/** The provider's available reports. */
export interface Observation {
  /** Undefined without a report about the media room. */
  room: ObservedRoom | undefined
  /** Recorders that do not report what they are writing. */
  silent: ReadonlySet<string | null>
  /** Running egresses that their own recorder no longer knows, because it has lost its disk. */
  forgotten?: ReadonlySet<string>
}

/**
 * Decides which segments are overdue and which to discard. While a recorder does not report what it is writing, its
 * segments wait, unless the recorder has left or the storage shows what it delivered. Every wait is limited, for an answer
 * to a start as well as for one to an end.
 */
export function settlementsOf(
  unfinished: readonly Segment[],
  { room, silent, forgotten = new Set() }: Observation,
  now: Date,
): Settlement[] {
  const lost: Settlement[] = []
  const known: Segment[] = []
  for (const segment of unfinished) {
    const { egressId } = segment
    if (egressId === null || !forgotten.has(egressId)) known.push(segment)
    else lost.push({ do: 'recorder_is_dead', segment: { ...segment, egressId }, isCertain: true })
  }
  const ofRecorders = room === undefined ? [] : recordersOf(known, room, now)
  const dead = new Set(
    ofRecorders.map((each) => (each.do === 'recorder_is_dead' ? each.segment.id : undefined)),
  )
  const others = known.filter(({ id }) => !dead.has(id))
  const ofClock = others.flatMap((segment) => {
    const isBlind = silent.has(segment.recorder)
    return overdueOf(segment, isBlind, now)
  })
  return [...lost, ...ofRecorders, ...ofClock]
}

function recordersOf(
  unfinished: readonly Segment[],
  { connections }: ObservedRoom,
  now: Date,
): Settlement[] {
  if (connections === undefined) return []
  return unfinished.flatMap((segment) => ofRecorder(segment, connections, now))
}

function ofRecorder(
  segment: Segment,
  connections: readonly ObservedConnection[],
  now: Date,
): Settlement[] {
  const { egressId, person } = segment
  if (egressId === null) return []
  const isThere = connections.some(({ identity }) => identity === egressId)
  if (isRecorderOverdue(segment, now) && !isThere) {
    return [{ do: 'recorder_is_dead', segment: { ...segment, egressId }, isCertain: false }]
  }
  const isSent = connections.some(
    ({ identity, isSending }) =>
      isSending && (person === null || person.mediaIdentity === identity),
  )
  if (isSent && isStallOverdue(segment, now)) return [{ do: 'recorder_stands_still', segment }]
  return isRecorderOverdue(segment, now) ? [{ do: 'recorder_is_back', egressId }] : []
}

/** True if its provider no longer writes it. */
function isOver(segment: Segment): boolean {
  return isFinal(segment) || isInDoubt(segment)
}

function overdueOf(segment: Segment, isBlind: boolean, now: Date): Settlement[] {
  if (segment.recordingId === null && isOver(segment)) return [{ do: 'discard', segment }]
  if (isInDoubt(segment)) return [{ do: 'judge_loss', segment }]
  const deadline = deadlineOf(segment)
  if (deadline === undefined || now < deadline.at) return []
  const { statusAt, stalledAt } = segment
  if (deadline.action === 'drop') return [{ do: 'overdue', segment, action: 'drop' }]
  const isJudged = deadline.action === 'judge'
  if (isBlind && isJudged && now < lastDeadlineOf(segment)) {
    return [{ do: 'look_in_storage', segment }]
  }
  // Do not wait if another segment already continues for a recorder that was out of reach.
  const hasWaited = stalledAt !== null || now.getTime() >= statusAt.getTime() + BLIND_MAX_MS
  if (isBlind && !isJudged && !hasWaited) return []
  return [{ do: 'overdue', segment, action: deadline.action }]
}

/** A command to send to the provider. */
export type Command = { do: 'start' } | { do: 'stop'; egressId: string }

export function commandOf(segment: Segment): Command | undefined {
  const { status, egressId, endsAskedAt } = segment
  if (endsAskedAt === null) return status === 'requested' ? { do: 'start' } : undefined
  const isAskable = egressId !== null && status !== 'ending' && !isFinal(segment)
  return isAskable ? { do: 'stop', egressId } : undefined
}

interface LookPlan {
  /** The time that the decision about the recording asked for. */
  lookAt: Date | undefined
  now: Date
  /** Interval of reading the provider's list while something is unfinished. */
  everySec: number
}

/** The time of the next check of the room. Returns undefined when nothing is unfinished. */
export function nextLookAt(
  unfinished: readonly Segment[],
  { lookAt, now, everySec }: LookPlan,
): Date | undefined {
  const times = unfinished.flatMap((segment) => {
    const asked = segment.status === 'requested' ? segment.askedAt : null
    return [
      deadlineOf(segment)?.at,
      recorderDeadlineOf(segment),
      stallDeadlineOf(segment),
      asked === null ? undefined : new Date(asked.getTime() + ANSWER_MAX_MS),
      // The refusal came a moment after the request.
      asked === null || segment.recorder !== null
        ? undefined
        : new Date(asked.getTime() + REFUSED_PAUSE_MS + REFUSAL_MS),
      new Date(now.getTime() + everySec * 1000),
    ]
  })
  return earliestOf([...times, lookAt].filter((at) => at !== undefined && at > now))
}

function earliestOf(times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((at) => at !== undefined)
  return known.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
