import { inTransaction, type Query } from '../../../platform/db/db.ts'
import { enqueueOnce } from '../../../platform/jobs/enqueue.ts'
import { NotWantedError, whileWanted } from '../../../platform/lib/while-wanted.ts'
import { hasFailed, isEmpty, isUnreadable } from '../../../platform/media-files/media-file-error.ts'
import { withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { claimObject, giveUpObject } from '../../../platform/storage/unclaimed-object.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import { lockRecordingIfAny } from '../recordings/lock-recording.ts'
import { failRecording, moveRecording } from '../recordings/move-recording.ts'
import { noteLoss, observeLocked } from '../recordings/observe-segment.ts'
import {
  COMPOSE_RECORDING,
  JOIN_RECORDING,
  makeRecordingRequest,
} from '../recordings/recording-requests.ts'
import type { Recording } from '../recordings/recording.ts'
import { findRecordedRoom } from '../recordings/running-store.ts'
import { noteMissing, listSegments } from '../recordings/segment-store.ts'
import {
  type CompleteSegment,
  isCapture,
  isFinal,
  isLost,
  type Segment,
} from '../recordings/segment.ts'
import { findRecording, type RecordingFile } from '../recordings/store.ts'
import { insertVoices } from '../recordings/voice-store.ts'
import type { FileOrder } from './archive-segments.ts'
import { EmptySegmentsError, UnreadableSegmentError } from './compose-segments.ts'
import type { FinishRun } from './finish-run.ts'
import { isToBeComposed, joinIn, type MadeFile, makeFile } from './make-file.ts'
import { findStored, hasMore } from './stored-segments.ts'

type AssembleDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config' | 'log'>

/** Time to wait for a file that the provider reports as written. */
const MISSING_MAX_MS = 10 * 60_000
export const LOOK_AGAIN_MS = 5_000
/** Counts from the end of a recording. After it, the recorders no longer try to deliver. */
const DELIVERED_MAX_MS = 24 * 60 * 60_000
/** Number of failed attempts, for any reason, after which an unreadable segment is searched for. */
const ATTEMPTS_MAX = 3

/**
 * Makes one file of a recording: a single segment as it is, several joined, the segments of an individual recording in an
 * archive. Work outside the scope of this run is handed over to another job. Returns the time of the next check while a
 * segment is missing.
 */
export async function assembleRecording(
  deps: AssembleDeps,
  recording: Recording,
  run: FinishRun,
): Promise<Date | undefined> {
  const segments = await listSegments(deps.db, recording.id)
  // The last of them enqueues this again.
  if (!segments.every((each) => isFinal(each))) return undefined
  const kept = keptOf(segments)
  if (kept.length === 0) {
    // They were lost one by one while it was running, when others could still follow.
    const last = segments.findLast((each) => isLost(each))
    const reason = last?.failureReason ?? 'internal'
    await loseSegments(deps, recording, [], reason)
    return undefined
  }
  const [only] = kept
  const isAlone = only !== undefined && kept.length === 1 && recording.outputMode === 'composed'
  if (isAlone && !isToBeComposed(kept)) {
    return markUploaded(deps, recording, { ...fileOf(only), voices: [] }, kept)
  }
  const { captures, missing } = await findStored(deps.storage, kept)
  const awaited = await awaitMissing(deps, recording, { kept, missing })
  if (awaited !== undefined) return awaited
  if (run.isMaker) return make(deps, recording, { kept, captures, run })
  await handOver(deps, recording, isToBeComposed(kept) ? COMPOSE_RECORDING : JOIN_RECORDING)
  return undefined
}

/** Hands over to a job that delays nobody. Once a composition is queued, the room's pages get an estimate. */
async function handOver(
  { db }: AssembleDeps,
  recording: Recording,
  kind: Parameters<typeof makeRecordingRequest>[0],
): Promise<void> {
  const { tenantId, roomId } = recording
  await inTransaction(db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId, roomId })
    // Enqueuing it again keeps its place and its pauses.
    await enqueueOnce(tx, makeRecordingRequest(kind, recording))
    if (kind === JOIN_RECORDING) return
    const room = await findRecordedRoom(tx, roomId)
    if (room?.isReleased === false) await publishLiveEvent(tx, locked, { name: 'recording' })
  })
}

function fileOf({ storageKey, sizeBytes, durationSec }: CompleteSegment): RecordingFile {
  return { storageKey, sizeBytes, durationSec }
}

const idsOf = (segments: readonly Segment[]): string[] => segments.map(({ id }) => id)

/** True if it has been missing for too long to wait any further. */
export function isMissedTooLong(since: Date, now: Date): boolean {
  return now.getTime() >= since.getTime() + MISSING_MAX_MS
}

/** Returns the time of the next check if some are missing. */
async function awaitMissing(
  deps: AssembleDeps,
  recording: Recording,
  { kept, missing }: Record<'kept' | 'missing', readonly CompleteSegment[]>,
): Promise<Date | undefined> {
  const now = deps.clock()
  const look = { all: idsOf(kept), missing: idsOf(missing), at: now }
  const since = await noteMissing(deps.db, look)
  if (missing.length === 0) return undefined
  const lost = missing.filter(({ id }) => isMissedTooLong(since.get(id) ?? now, now))
  if (lost.length === 0) return new Date(now.getTime() + LOOK_AGAIN_MS)
  const seen = { recording: recording.id, segments: idsOf(lost) }
  deps.log.error(seen, 'recording segments missing')
  await loseSegments(deps, recording, lost, 'storage_missing')
  return now
}

/**
 * Makes the file. Returns the time of the next attempt after leaving out a segment that is unreadable or empty. Any other
 * failure proves nothing about the segments, and is thrown.
 */
async function make(
  deps: AssembleDeps,
  recording: Recording,
  order: FileOrder,
): Promise<Date | undefined> {
  const { kept, captures, run } = order
  try {
    const file = await makeWhileWanted(deps, recording, order)
    if (await isOutdated(deps, recording, order)) {
      await giveUpFile(deps.db, file)
      run.log.info(
        { recording: recording.id },
        'more of a recording arrived while its file was being made',
      )
      return deps.clock()
    }
    return await markUploaded(deps, recording, file, kept)
  } catch (error) {
    if (error instanceof NotWantedError) return undefined
    if (error instanceof EmptySegmentsError) {
      await loseSegments(deps, recording, error.segments, 'provider_aborted')
      return deps.clock()
    }
    if (run.attempt < ATTEMPTS_MAX) throw error
    const suspects = { kept: suspectsOf(error, kept), captures, run }
    const lost = await findUnreadable(deps, recording, suspects)
    if (lost.length === 0) throw error
    const seen = { err: error, recording: recording.id, segments: idsOf(lost) }
    run.log.error(seen, 'recording segments unreadable')
    await loseSegments(deps, recording, lost, 'provider_failed')
    return deps.clock()
  }
}

/** Throws `NotWantedError` if the recording was deleted meanwhile, or another run finished it. */
async function makeWhileWanted(
  deps: AssembleDeps,
  recording: Recording,
  order: FileOrder,
): Promise<MadeFile> {
  const { id: recordingId, tenantId } = recording
  const { run } = order
  const watch = {
    isWanted: async () =>
      (await findRecording(deps.db, { tenantId, recordingId }))?.status === 'stopped',
    lookMs: deps.config.waits.wantedLookMs,
    signal: run.signal,
  }
  return whileWanted(watch, (signal) =>
    makeFile(deps, recording, { ...order, run: { ...run, signal } }),
  )
}

/**
 * True if something has arrived that is not in the file: a segment that was given up, or more of one. A recorder that was
 * out of reach delivers its data for up to a day.
 */
async function isOutdated(
  { db, storage, clock }: AssembleDeps,
  { id, updatedAt }: Recording,
  { kept, captures }: FileOrder,
): Promise<boolean> {
  if (clock().getTime() > updatedAt.getTime() + DELIVERED_MAX_MS) return false
  if (!areSame(keptOf(await listSegments(db, id)), kept)) return true
  return hasMore(storage, kept, captures)
}

function keptOf(segments: readonly Segment[]): CompleteSegment[] {
  return segments.filter((each) => each.status === 'complete')
}

function areSame(some: readonly Segment[], others: readonly Segment[]): boolean {
  return (
    some.length === others.length && some.every(({ id }) => others.some((each) => each.id === id))
  )
}

/**
 * Returns the time of the next attempt if other segments are kept by now.
 * @param kept the segments in the file.
 */
async function markUploaded(
  { db, clock }: AssembleDeps,
  { id, tenantId }: Recording,
  { voices, ...file }: MadeFile,
  kept: readonly CompleteSegment[],
): Promise<Date | undefined> {
  const isMade = kept.every(({ storageKey }) => storageKey !== file.storageKey)
  const outcome = await inTransaction(db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, { tenantId, recordingId: id })
    // The recording was deleted meanwhile, or another run finished it.
    if (recording?.status !== 'stopped') return 'unwanted'
    if (!areSame(keptOf(await listSegments(tx, id)), kept)) return 'outdated'
    if (isMade) await claimObject(tx, file.storageKey)
    for (const { storageKey } of voices) await claimObject(tx, storageKey)
    await insertVoices(tx, id, voices)
    await moveRecording(tx, recording, { to: 'uploaded', file, at: clock() })
    return 'uploaded'
  })
  if (isMade && outcome !== 'uploaded') await giveUpFile(db, { ...file, voices })
  return outcome === 'outdated' ? clock() : undefined
}

async function giveUpFile(db: Query, { storageKey, voices }: MadeFile): Promise<void> {
  for (const key of [storageKey, ...voices.map((voice) => voice.storageKey)]) {
    await giveUpObject(db, key)
  }
}

/** Segments that may be the reason why no file could be made. */
function suspectsOf(error: unknown, kept: readonly CompleteSegment[]): readonly CompleteSegment[] {
  if (error instanceof UnreadableSegmentError) return [error.segment]
  if (isUnreadable(error)) return kept
  // The composer names an unreadable capture. For videos any of them may be the cause.
  return hasFailed(error) ? kept.filter((segment) => !isCapture(segment)) : []
}

/**
 * Returns the segments that are unreadable when each is fetched again on its own. Throws errors that prove nothing about a
 * segment: `MediaFileError`, `StorageError`, the signal's reason.
 */
async function findUnreadable(
  deps: Pick<Deps, 'db' | 'storage' | 'config'>,
  recording: Recording,
  { kept, captures, run }: FileOrder,
): Promise<CompleteSegment[]> {
  const unreadable: CompleteSegment[] = []
  for (const segment of kept) {
    try {
      const alone = { kept: [segment], captures, run, recording }
      await withWorkspace(deps.config.workDir, (folder) => joinIn(folder, deps, alone))
    } catch (error) {
      if (hasFailed(error) || isEmpty(error)) continue
      if (!isUnreadable(error)) throw error
      unreadable.push(segment)
    }
  }
  return unreadable
}

/** Continues with the other segments. Without any, the recording fails. */
async function loseSegments(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  { id, tenantId }: Recording,
  lost: readonly CompleteSegment[],
  reason: string,
): Promise<void> {
  const now = deps.clock()
  await inTransaction(deps.db, async (tx) => {
    const recording = await lockRecordingIfAny(tx, { tenantId, recordingId: id })
    if (recording?.status !== 'stopped') return
    for (const segment of lost) {
      const observation = { of: 'file', lostBecause: reason } as const
      await observeLocked(tx, recording, deps, { ref: { id: segment.id }, observation })
    }
    // The file of a segment that was given up may have arrived just now.
    const left = keptOf(await listSegments(tx, id))
    if (left.length === 0) return failRecording(tx, recording, { reason, now })
    for (const _ of lost) await noteLoss(tx, recording, reason)
  })
}
