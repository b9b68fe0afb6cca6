import type { Egress, RunningEgress, TrackLack } from '../../../platform/ports/egress.ts'
import { type Due, dueOf, type SeenRoom, type StorageQuestion } from './due-segment.ts'
import { isSilentAtStart } from './segment-limits.ts'
import { areSame, type Change, follow, type Sign } from './segment-transitions.ts'
import {
  type Absence,
  type ActiveSegment,
  beganTooLate,
  isInDoubt,
  isLost,
  isRunning,
  offsetMsOf,
  type Segment,
  SEGMENT_RANK,
  type SegmentFailure,
  startedAtOf,
  usedSecOf,
} from './segment.ts'

export interface StoredSegment {
  file: { sizeBytes: number; durationSec: number }
  /** The beginning of its media by the provider's clock, if the storage knows it. */
  startedAt?: Date
}

/** An egress, with what only its answer or list tells. */
export interface SeenEgress extends Egress {
  recorder?: string | null
  clockOffsetMs?: number | null
}

/**
 * A fact about a segment, from any source. `egress`: a notification, an answer, or an item of the provider's list.
 * `recorder`: the connection of its recorder to the media room; `absent` if the provider's list lacks it. `life`: the
 * recorder works at it, and may lack tracks. `replaceable`: the recorder is out of reach, or silent, and another one can be reached. `time`: the
 * clock, with the room's state. `storage`: its answer to `dueOf`; null if it has nothing, undefined if it does not answer.
 * `file`: the segment cannot be used for the recording's file.
 */
export type Observation =
  | { of: 'egress'; egress: SeenEgress }
  | { of: 'recorder'; is: 'there' | 'gone' | 'absent'; at: Date }
  | { of: 'life'; report: RunningEgress }
  | { of: 'replaceable'; why: 'unreachable' | 'silent' }
  | { of: 'time'; seen: SeenRoom }
  | { of: 'storage'; seen: SeenRoom; found: StoredSegment | null | undefined }
  | { of: 'file'; lostBecause: string }

export interface Transition {
  sign: Sign
  to: Segment
  /** It interrupts a running recording, which continues with another segment. */
  interrupts?: boolean
  /** The file was cut at one of the provider's limits. */
  hitLimit?: boolean
}

interface Reading extends Omit<Transition, 'to'> {
  change?: Change
}

/**
 * The next state of a segment. Returns undefined if the observation changes nothing. It is the only place that decides
 * this: `observe-segment.ts` stores it, and applies what follows for the recording.
 */
export function decide(
  segment: Segment,
  observation: Observation,
  now: Date,
): Transition | undefined {
  const reading = read(segment, observation, now)
  if (reading === undefined) return undefined
  const { change = {}, ...transition } = reading
  const to = follow(segment, reading.sign, { change, now })
  return to === undefined || areSame(to, segment) ? undefined : { ...transition, to }
}

function read(segment: Segment, observation: Observation, now: Date): Reading | undefined {
  switch (observation.of) {
    case 'egress':
      return readEgress(segment, observation.egress, now)
    case 'recorder':
      return readRecorder(segment, observation)
    case 'life':
      return readLife(segment, observation.report, now)
    case 'replaceable': {
      const isDue = observation.why === 'unreachable' || isSilentAtStart(segment, now)
      return isRunning(segment) && isDue ? standsStill(segment, now) : undefined
    }
    case 'time':
      return readTime(segment, dueOf(segment, observation.seen, now), now)
    case 'storage':
      return readStorage(segment, dueOf(segment, observation.seen, now), observation.found)
    case 'file':
      return { sign: 'unusable', change: { failureReason: observation.lostBecause } }
    default:
      return observation satisfies never
  }
}

/** "Egress -> status" of the contract. A file that was cut at a limit counts as a file. */
function readEgress(segment: Segment, egress: SeenEgress, now: Date): Reading | undefined {
  const { status, writtenBytes, egressId, recorder = null, clockOffsetMs = null } = egress
  const isNew = segment.status === 'requested'
  const written = isNew ? { egressId, recorder, clockOffsetMs } : {}
  const offsetMs = isNew ? (clockOffsetMs ?? 0) : offsetMsOf(segment)
  const startedAt = startOf(segment, byOurClock(egress.startedAt, offsetMs))
  const begun = { ...written, ...(startedAt !== null && { startedAt }) }
  const following = endsEarly(segment, egress) && { interrupts: true }
  switch (status) {
    case 'starting':
      return { sign: 'starts', change: written }
    case 'active':
      return { sign: 'records', change: { ...begun, ...growth(segment, writtenBytes, now) } }
    case 'ending': {
      const aliveAt = byOurClock(egress.updatedAt, offsetMs)
      return { sign: 'ends', change: { ...begun, ...lifeAt(segment, aliveAt) }, ...following }
    }
    case 'complete':
    case 'limit_reached': {
      const content = contentOf(egress)
      if (content === null) break
      if (isLost(segment) && !(segment.status === 'failed' && segment.isOverdue)) return undefined
      const read = delivered(segment, 'delivers', content, { ...written, startedAt })
      const hitLimit = status === 'limit_reached' && read.sign === 'delivers'
      return { ...read, ...(hitLimit && { hitLimit }), ...following }
    }
    case 'failed':
    case 'aborted':
  }
  return { ...readLoss(segment, egress, written), ...following }
}

/**
 * A report may correct the start of a segment. It cannot make one late that began in time: the clock of a sandbox may have been
 * moved after the report.
 */
function startOf(segment: Segment, reportedAt: Date | null): Date | null {
  const knownAt = startedAtOf(segment)
  return knownAt !== null && beganTooLate(segment, reportedAt) ? knownAt : reportedAt
}

/** Recorders may have other clocks. From here on, every time is one of the service's. */
function byOurClock(at: Date | null | undefined, offsetMs: number): Date | null {
  return at ? new Date(at.getTime() - offsetMs) : null
}

/** A complete egress has a file, whatever size it reports. The storage shows later whether that is true. */
function contentOf({ status, file, hasUploadFailed }: Egress): StoredSegment['file'] | null {
  const isHidden = file === null && status === 'complete' && !hasUploadFailed
  return isHidden ? { sizeBytes: 0, durationSec: 0 } : file
}

/** The provider's report is not enough to lose a segment that may have delivered something. */
function readLoss(
  segment: Segment,
  { status, hasUploadFailed }: Pick<Egress, 'status' | 'hasUploadFailed'>,
  written: Change,
): Reading {
  const isAborted = status === 'aborted'
  const failed = hasUploadFailed ? 'upload_failed' : 'provider_failed'
  const reason: SegmentFailure = isAborted ? 'provider_aborted' : failed
  if (isInDoubt(segment)) return { sign: 'breaks' }
  const hasBegun = startedAtOf(segment) !== null || SEGMENT_RANK[segment.status] >= ACTIVE_RANK
  const isNothing =
    segment.recordingId === null || beganTooLate(segment) || (isAborted && !hasBegun)
  if (isNothing)
    return { sign: 'is lost', change: { ...written, failureReason: reason, isAborted } }
  return { sign: 'breaks', change: { ...written, doubt: reason } }
}

const ACTIVE_RANK = SEGMENT_RANK.active

/** Its recorder ends it with what it had, because it was killed and started again, or its disk is full. */
function endsEarly(segment: Segment, { hasRecorderFailed }: Pick<Egress, 'hasRecorderFailed'>) {
  const { status, recordingId, endsAskedAt } = segment
  return hasRecorderFailed && recordingId !== null && status === 'active' && endsAskedAt === null
}

/** Drops a segment that began only after it was asked to end, even if it has a file. */
function delivered(
  segment: Segment,
  sign: 'delivers' | 'stored',
  { sizeBytes, durationSec: capturedSec }: StoredSegment['file'],
  { startedAt, ...written }: Change & { startedAt: Date | null },
): Reading {
  const begunAt = startedAt ?? startedAtOf(segment)
  if (beganTooLate(segment, begunAt)) {
    const change = { ...written, ...LOST.drop }
    return { sign: sign === 'stored' ? 'not stored' : 'is lost', change }
  }
  const durationSec = usedSecOf(segment, { startedAt: begunAt, capturedSec })
  return { sign, change: { ...written, startedAt: begunAt, sizeBytes, durationSec } }
}

function readRecorder(
  segment: Segment,
  { is, at }: Extract<Observation, { of: 'recorder' }>,
): Reading | undefined {
  if (segment.status === 'requested') return undefined
  if (is === 'there') {
    return { sign: 'recorder joins', change: { isRecorderSeen: true, recorderGoneAt: null } }
  }
  // A recorder that was never in the list may be one that does not join media rooms.
  const isKnown = segment.recorderGoneAt !== null || (is === 'absent' && !segment.isRecorderSeen)
  return isKnown ? undefined : { sign: 'recorder leaves', change: { recorderGoneAt: at } }
}

/** The same number of bytes is no growth. A resumed recorder counts from zero. */
function growth(segment: Segment, writtenBytes: number | null, now: Date): Change {
  const known = segment.status === 'active' ? segment.writtenBytes : null
  return writtenBytes === null || writtenBytes === known ? {} : { writtenBytes, grownAt: now }
}

/** Never earlier than it was. */
function lifeAt(segment: Segment, aliveAt: Date | null): Change {
  const known = 'aliveAt' in segment ? segment.aliveAt : null
  return aliveAt === null || (known !== null && known >= aliveAt) ? {} : { aliveAt }
}

/** The shortest interval between two stored signs of life, of growth, or of a lack that goes on. */
const NOTED_MS = 3_000

function readLife(
  segment: Segment,
  { writtenBytes, lacks }: RunningEgress,
  now: Date,
): Reading | undefined {
  const isNoted = (at: Date | null) => at !== null && now.getTime() - at.getTime() < NOTED_MS
  if (segment.status === 'starting') {
    return isNoted(segment.aliveAt) ? undefined : { sign: 'works', change: { aliveAt: now } }
  }
  if (segment.status !== 'active') return undefined
  const grown = isNoted(segment.grownAt) ? {} : growth(segment, writtenBytes, now)
  const absences = withLacks(segment, lacks, now)
  const notedMs = segment.absences.flatMap(({ track, toMs }) => (track === undefined ? [] : toMs))
  const isNews =
    absences.length > segment.absences.length || !isNoted(new Date(Math.max(0, ...notedMs)))
  return { sign: 'works', change: { ...grown, ...(isNews && { absences }) } }
}

/** Adds the reported lacks to the absences of a running segment. One that was reported before lasts until now. */
function withLacks(
  segment: ActiveSegment,
  lacks: readonly TrackLack[],
  now: Date,
): readonly Absence[] {
  const reported = lacks.map(({ identity: mediaIdentity, track, reason, since }): Absence => {
    const fromMs = since.getTime() - offsetMsOf(segment)
    return { fromMs, toMs: now.getTime(), mediaIdentity, reason, track }
  })
  const extended = segment.absences.map((each) => reported.find((one) => areOne(one, each)) ?? each)
  return [...extended, ...reported.filter((each) => !extended.includes(each))]
}

function areOne(a: Absence, b: Absence): boolean {
  return a.mediaIdentity === b.mediaIdentity && a.track === b.track && a.fromMs === b.fromMs
}

/** It is asked to end as soon as its recorder answers, and keeps what it has written. Another one continues meanwhile. */
function standsStill(segment: Segment, now: Date): Reading {
  const grownAt = segment.status === 'active' ? segment.grownAt : null
  const change = { endsAskedAt: segment.endsAskedAt ?? now, stalledAt: grownAt ?? now }
  return { sign: 'stands still', change, interrupts: true }
}

function readTime(segment: Segment, due: Due | undefined, now: Date): Reading | undefined {
  switch (due?.do) {
    case 'recorder_is_back':
      return readRecorder(segment, { of: 'recorder', is: 'there', at: now })
    case 'replace':
      return standsStill(segment, now)
    case 'lose':
      return { sign: 'times out', change: LOST[due.why] }
    case 'discard':
    case 'ask_storage':
    case undefined:
      return undefined
    default:
      return due satisfies never
  }
}

const LOST = {
  start_timeout: { failureReason: 'start_timeout' },
  give_up: { failureReason: 'provider_failed' },
  drop: { failureReason: 'provider_aborted', isAborted: true },
} as const satisfies Record<string, Change>

function readStorage(
  segment: Segment,
  due: Due | undefined,
  found: StoredSegment | null | undefined,
): Reading | undefined {
  if (due?.do !== 'ask_storage') return undefined
  const { why } = due
  const isInterrupted = why === 'recorder_lost' && segment.endsAskedAt === null
  if (found === undefined) {
    if (why !== 'recorder_lost') return undefined
    const reading = { sign: 'storage is silent', change: { doubt: 'provider_failed' } } as const
    return isInterrupted ? { ...reading, interrupts: true } : reading
  }
  if (found !== null) {
    const foundAt = byOurClock(found.startedAt, offsetMsOf(segment))
    const startedAt = startedAtOf(segment) === null ? foundAt : null
    const reading = delivered(segment, 'stored', found.file, { startedAt })
    return isInterrupted ? { ...reading, interrupts: true } : reading
  }
  if (why === 'peek') return undefined
  // Nothing is lost with a segment that had not begun. It gets another egress.
  const hasNotBegun = why === 'recorder_lost' && segment.status === 'starting'
  const reading = { sign: 'not stored', change: lossOf(segment, { why, hasNotBegun }) } as const
  return isInterrupted && !hasNotBegun ? { ...reading, interrupts: true } : reading
}

function lossOf(
  segment: Segment,
  { why, hasNotBegun }: { why: StorageQuestion; hasNotBegun: boolean },
): Change {
  if (why === 'start_timeout' || why === 'give_up') return LOST[why]
  const doubt = segment.status === 'ending' ? segment.doubt : null
  if (hasNotBegun || doubt === 'provider_aborted') return LOST.drop
  return { failureReason: doubt ?? 'provider_failed', isOverdue: true }
}
