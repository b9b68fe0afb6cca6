import { createReadStream } from 'node:fs'
import type { Logger } from 'pino'
import { NotWantedError, whileWanted } from '../../../platform/lib/while-wanted.ts'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { trimVideo } from '../../../platform/media-files/trim-video.ts'
import { requireSpace, withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { giveUpObject, putExpected } from '../../../platform/storage/unclaimed-object.ts'
import { completeTrim, type TrimAttempt } from './attempt-trim.ts'
import { trimLimitMsOf } from './overdue.ts'
import { trimKeyOf } from './processed-recording.ts'
import { isAttemptOpen, type ProcessedFile } from './store.ts'

export type TrimDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

interface TrimRun {
  attempt: TrimAttempt
  source: { key: string; durationSec: number; sizeBytes: number }
  signal: AbortSignal
  log: Logger
}

/** Encoded again, a part may be larger than it was. */
const GROWTH_MAX = 2
const SPACE_MIN_BYTES = 16 * 1024 * 1024

/**
 * Makes the file of an attempt and hands it in. Throws `NotWantedError` when another attempt, a
 * delete or a deadline came first, `StorageError`, `MediaFileError`, or the signal's reason.
 */
export async function makeTrim(deps: TrimDeps, run: TrimRun): Promise<void> {
  const { trim, attempt } = run.attempt
  const isWanted = () => isAttemptOpen(deps.db, { id: trim.id, attempt })
  const lookMs = deps.config.waits.wantedLookMs
  await whileWanted({ isWanted, lookMs, signal: run.signal }, async (signal) => {
    const file = await storeTrim(deps, { ...run, signal })
    await handIn(deps, run.attempt, file)
  })
}

/** Cuts the file in a temporary folder and stores it. */
async function storeTrim(deps: TrimDeps, run: TrimRun): Promise<ProcessedFile> {
  const { storage, config } = deps
  const { attempt, source, signal, log } = run
  const { trim } = attempt
  const deadlineMs = trimLimitMsOf(trim)
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  return withWorkspace(config.workDir, async (folder) => {
    await requireSpace(folder, spaceFor(run))
    const forSec = Math.ceil(deadlineMs / 1000)
    const made = await trimVideo(ffmpeg, {
      source: await storage.locate(source.key, { forSec }),
      startSec: trim.trimStartSec,
      endSec: trim.trimEndSec,
      folder,
      deadlineMs,
      signal,
      log,
      onProgress: logProgress(run),
    })
    signal.throwIfAborted()
    const storageKey = trimKeyOf(trim, attempt.attempt)
    const body = createReadStream(made.path, { signal })
    const stored = await putExpected(deps, storageKey, { body, ...MP4 })
    return { storageKey, ...stored, durationSec: made.measured.durationSec }
  })
}

const MP4 = { mime: 'video/mp4' }

function spaceFor({ attempt: { trim }, source }: TrimRun): number {
  const share = (trim.trimEndSec - trim.trimStartSec) / Math.max(source.durationSec, 1)
  return SPACE_MIN_BYTES + GROWTH_MAX * Math.min(1, share) * source.sizeBytes
}

function logProgress({ attempt: { trim }, log }: TrimRun): (doneSec: number) => void {
  const clipSec = trim.trimEndSec - trim.trimStartSec
  let reported = 0
  return (doneSec) => {
    const percent = Math.min(100, Math.floor((10 * doneSec) / clipSec) * 10)
    if (percent <= reported) return
    reported = percent
    log.info({ processedRecordingId: trim.id, percent }, 'trimming')
  }
}

async function handIn(deps: TrimDeps, attempt: TrimAttempt, file: ProcessedFile): Promise<void> {
  try {
    if (await completeTrim(deps, attempt, file)) return
  } catch (error) {
    await giveUpObject(deps.db, file.storageKey)
    throw error
  }
  await giveUpObject(deps.db, file.storageKey)
  throw new NotWantedError('the trim is not wanted any more')
}
