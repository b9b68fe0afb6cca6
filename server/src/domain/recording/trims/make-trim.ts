import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import { NotWantedError, whileWanted } from '../../../platform/lib/while-wanted.ts'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { trimVideo } from '../../../platform/media-files/trim-video.ts'
import { requireSpace, withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { giveUpObject, putExpected } from '../../../platform/storage/unclaimed-object.ts'
import { trimLimitMsOf } from './trim-times.ts'
import type { TrimAttempt, TrimmedFile, TrimOwner } from './trim.ts'

export type TrimDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

export interface TrimRun<A extends TrimAttempt = TrimAttempt> {
  attempt: A
  source: { key: string; durationSec: number; sizeBytes: number }
  signal: AbortSignal
  log: Logger
}

/** Bound on the growth of a range when it is encoded again. */
const GROWTH_MAX = 2
const NOTED_EVERY_MS = 1000
const SPACE_MIN_BYTES = 16 * 1024 * 1024

/**
 * Makes the file of an attempt and delivers it. Throws `NotWantedError` if another attempt, a delete or a deadline came
 * first, `StorageError`, `MediaFileError`, or the signal's reason.
 */
export async function makeTrim<A extends TrimAttempt>(
  deps: TrimDeps,
  run: TrimRun<A>,
  owner: TrimOwner<A>,
): Promise<void> {
  const isWanted = () => owner.isOpen(run.attempt)
  const lookMs = deps.config.waits.wantedLookMs
  await whileWanted({ isWanted, lookMs, signal: run.signal }, async (signal) => {
    const file = await storeTrim(deps, { ...run, signal }, owner)
    await handIn(deps, file, () => owner.complete(run.attempt, file))
  })
}

/** Cuts the file in a temporary directory and stores it. */
async function storeTrim<A extends TrimAttempt>(
  deps: TrimDeps,
  run: TrimRun<A>,
  owner: TrimOwner<A>,
): Promise<TrimmedFile> {
  const { storage, config } = deps
  const { attempt, source, signal, log } = run
  const { range, storageKey } = attempt
  const deadlineMs = trimLimitMsOf(range)
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  return withWorkspace(config.workDir, async (folder) => {
    await requireSpace(folder, spaceFor(run))
    const forSec = Math.ceil(deadlineMs / 1000)
    const cut = attempt.cut ?? ((job) => trimVideo(ffmpeg, job))
    const made = await cut({
      ffmpeg,
      ...range,
      source: await storage.locate(source.key, { forSec }),
      folder,
      deadlineMs,
      signal,
      log,
      onProgress: followProgress(run, owner),
    })
    signal.throwIfAborted()
    const body = createReadStream(made.path, { signal })
    const { size: expectedBytes } = await stat(made.path)
    const stored = await putExpected(deps, storageKey, { body, expectedBytes, ...MP4 })
    return { storageKey, ...stored, durationSec: made.measured.durationSec }
  })
}

const MP4 = { mime: 'video/mp4' }

function spaceFor({ attempt: { range }, source }: TrimRun): number {
  const share = (range.endSec - range.startSec) / Math.max(source.durationSec, 1)
  return SPACE_MIN_BYTES + GROWTH_MAX * Math.min(1, share) * source.sizeBytes
}

function followProgress<A extends TrimAttempt>(
  { attempt, log }: TrimRun<A>,
  owner: TrimOwner<A>,
): (doneSec: number) => void {
  const lengthSec = attempt.range.endSec - attempt.range.startSec
  let [logged, noted, notedMs] = [0, 0, 0]
  return (doneSec) => {
    const percent = Math.min(100, Math.floor((100 * doneSec) / lengthSec))
    if (percent >= logged + 10) {
      logged = percent - (percent % 10)
      log.info({ ...attempt.logged, percent: logged }, 'trimming')
    }
    if (percent <= noted || performance.now() < notedMs + NOTED_EVERY_MS) return
    ;[noted, notedMs] = [percent, performance.now()]
    // The file matters more than its progress.
    owner.noteProgress?.(attempt, percent).catch((error: unknown) => {
      log.warn({ err: error, ...attempt.logged }, 'progress not noted')
    })
  }
}

async function handIn(
  { db }: TrimDeps,
  { storageKey }: TrimmedFile,
  complete: () => Promise<boolean>,
): Promise<void> {
  try {
    if (await complete()) return
  } catch (error) {
    await giveUpObject(db, storageKey)
    throw error
  }
  await giveUpObject(db, storageKey)
  throw new NotWantedError('the trim is not wanted any more')
}
