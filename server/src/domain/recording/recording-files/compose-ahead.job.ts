import { pieceNameOf } from '@interview-room/composer/capture/capture-archive.ts'
import { packPiece, type ArchivedPiece } from '@interview-room/composer/capture/piece-archive.ts'
import type { Logger } from 'pino'
import type { Job, JobOutcome } from '../../../platform/jobs/job.ts'
import { NotWantedError, whileWanted } from '../../../platform/lib/while-wanted.ts'
import {
  composedEncoding,
  composeNextPiece,
} from '../../../platform/media-files/compose-captures.ts'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { findCapture, type StoredCapture } from '../recordings/measure-segment.ts'
import { COMPOSE_AHEAD } from '../recordings/recording-requests.ts'
import { isRunning, type Recording, videoFormOf } from '../recordings/recording.ts'
import { findRecordedRoom } from '../recordings/running-store.ts'
import { listSegments } from '../recordings/segment-store.ts'
import {
  type ActiveSegment,
  captureEndMsOf,
  type CompleteSegment,
  isCapture,
  type Segment,
} from '../recordings/segment.ts'
import { findRecording } from '../recordings/store.ts'
import { readContext } from './capture-context.ts'
import {
  archivesAfter,
  isCurrent,
  listPieces,
  readPieceAt,
  sizeOfChunks,
} from './composed-pieces.ts'

type AheadDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** Pause between two pieces: about their length while the work keeps up with the interview. Longer ones leave more for the end. */
const EVERY_MS = 30_000
/** Chunks of two seconds that one piece reads at most. Work that has fallen behind is done in several. */
const CHUNKS_MAX = 300

/**
 * Composes the captures of a recording while it runs, piece after piece, so that less than a minute is left when it ends. Pieces
 * are stored beside the captures and deleted with them. Nobody depends on it: the file is made of the pieces that are there, and of
 * the captures for the rest.
 */
export function composeAheadJob(deps: AheadDeps): Job {
  const { db, config, clock } = deps
  return {
    kind: COMPOSE_AHEAD,
    retryAfterSec: () => EVERY_MS / 1000,
    async run({ key: recordingId, payload, signal, log }): Promise<JobOutcome> {
      const key = { tenantId: String(payload['tenantId']), recordingId }
      const find = async () => {
        const found = await findRecording(db, key)
        return found !== undefined && isRunning(found) ? found : undefined
      }
      const recording = await find()
      if (recording === undefined) return { outcome: 'done' }
      const isWanted = async () => (await find()) !== undefined
      const watch = { isWanted, lookMs: config.waits.wantedLookMs, signal }
      try {
        const run = (wanted: AbortSignal) => composeNext(deps, recording, { signal: wanted, log })
        const isBehind = await whileWanted(watch, run)
        const waitMs = isBehind ? 0 : EVERY_MS
        return { outcome: 'again', at: new Date(clock().getTime() + waitMs) }
      } catch (error) {
        if (error instanceof NotWantedError) return { outcome: 'done' }
        throw error
      }
    },
  }
}

interface AheadRun {
  signal: AbortSignal
  log: Logger
}

type CapturedSegment = ActiveSegment | CompleteSegment

/** Composes one piece, of the first capture that has one to compose. Returns true if there is more. */
async function composeNext(deps: AheadDeps, recording: Recording, run: AheadRun): Promise<boolean> {
  const segments = await listSegments(deps.db, recording.id)
  for (const segment of segments) {
    if (!isComposedAhead(segment)) continue
    const outcome = await composePieceOf(deps, segment, { recording, run })
    if (outcome === 'behind') return true
    if (outcome === 'composed') return segment !== segments.at(-1)
  }
  return false
}

function isComposedAhead(segment: Segment): segment is CapturedSegment {
  const { status } = segment
  return isCapture(segment) && (status === 'active' || status === 'complete')
}

async function composePieceOf(
  { db, storage, config }: AheadDeps,
  segment: CapturedSegment,
  { recording: { roomId }, run }: { recording: Recording; run: AheadRun },
): Promise<'nothing' | 'composed' | 'behind'> {
  const room = await findRecordedRoom(db, roomId)
  const capture = await findCapture(storage, segment)
  if (room === undefined || capture === undefined) return 'nothing'
  const encoding = composedEncoding(videoFormOf(room))
  const { number, last } = await lastPiece(storage, segment, { capture, encoding })
  if (last?.isLast === true) return 'nothing'
  const left = archivesAfter(last, capture)
  const archives = left.slice(0, CHUNKS_MAX)
  const isRunning = segment.status === 'active' || archives.length < left.length
  return withWorkspace(config.workDir, async (folder) => {
    const context = await readContext({ db, storage }, roomId, { segments: [segment], folder, run })
    const composed = await composeNextPiece(await findFfmpeg(config.ffmpegPath), {
      part: {
        ...context.partOf(segment),
        archives: archives.map((key) => () => storage.read(key)),
        sizeBytes: sizeOfChunks(capture, archives),
        durationSec: 0,
        untilMs: captureEndMsOf(segment),
      },
      after: last?.end,
      isRunning,
      places: context.places,
      encoding,
      folder,
      ...run,
    })
    if (composed === undefined) return 'nothing'
    const { archive, sizeBytes: expectedBytes } = await packPiece(composed.piece, {
      chunks: capture.archives.indexOf(archives.at(-1) ?? '') + 1,
      last: archives.at(-1) ?? '',
      next: archives[composed.neededFrom] ?? '',
    })
    const mime = 'application/x-tar'
    run.signal.throwIfAborted()
    await storage.put(pieceNameOf(segment.storageKey, number), archive, { mime, expectedBytes })
    return archives.length < left.length ? 'behind' : 'composed'
  })
}

/** The newest piece of a capture, and the number of the next. Pieces that something late has outdated are deleted. */
async function lastPiece(
  storage: Deps['storage'],
  segment: Segment,
  { capture, encoding }: { capture: StoredCapture; encoding: ArchivedPiece['encoding'] },
): Promise<{ number: number; last: ArchivedPiece | undefined }> {
  const keys = await listPieces(storage, segment)
  const key = keys.at(-1)
  if (key === undefined) return { number: 1, last: undefined }
  const last = await readPieceAt(storage, key)
  if (isCurrent(last, capture, encoding)) return { number: keys.length + 1, last }
  await storage.delete(keys)
  return { number: 1, last: undefined }
}
