import path from 'node:path'
import { packCapture } from '@interview-room/composer/capture/capture-archive.ts'
import { findFfmpeg } from '@interview-room/composer/find-ffmpeg.ts'
import { runComposition } from '@interview-room/composer/run-composition.ts'
import type { EgressInfo } from '@livekit/protocol'
import type { Log } from '../lib/log.ts'
import { reasonOf } from '../lib/log.ts'
import type { TaskQueue } from '../lib/task-queue.ts'
import { openChunkTarget } from './chunk-target.ts'
import { deliverCapture } from './deliver-capture.ts'
import { deliver, type Production, uploaded } from './deliver.ts'
import type { EgressRecord } from './egress-record.ts'
import { lengthMsOf } from './info.ts'
import { isOfCapture } from './output.ts'
import type { StoredEgress, WorkFolder } from './work-folder.ts'

export interface ProduceOptions {
  work: WorkFolder
  env: Readonly<Record<string, string | undefined>>
  log: Log
  signal: AbortSignal
  /** In which composing waits its turn. */
  queue: TaskQueue
}

// Composing is many times faster than the recording was long, but the machine may be busy.
const PATIENCE = { baseMs: 5 * 60_000, timesLength: 4 }
const DELIVERY_TIMEOUT_MS = 30 * 60_000
const ATTEMPTS_MAX = 2

/** Composes what an egress captured and delivers the file, or delivers the capture where that is asked for. */
export async function produce(egress: EgressRecord, options: ProduceOptions): Promise<Production> {
  const { info, job } = egress
  const { work, queue, signal } = options
  if (isOfCapture(job.output) && (await work.listChunks(info.egressId)).length > 0) {
    return deliverChunks(egress, options)
  }
  // Read before the wait for its turn: the info changes meanwhile.
  const patienceMs = PATIENCE.baseMs + PATIENCE.timesLength * lengthMsOf(info)
  const { durationMs, file } = isOfCapture(job.output)
    ? await pack(info, work)
    : await queue(() => compose(egress, options, patienceMs))
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)])
  return { durationMs, delivered: await deliver(file, job, limit) }
}

async function deliverChunks(
  { info, job: { output }, progress }: EgressRecord,
  { work, log, signal }: ProduceOptions,
): Promise<Production> {
  const target = progress.watch(openChunkTarget(output))
  const { egressId } = info
  const onFailure = (error: unknown) =>
    log({ level: 'warn', msg: 'capture not delivered yet', egressId, reason: reasonOf(error) })
  const onReached = (untilMs: number) => progress.reach(untilMs)
  const way = { work, target, signal, onFailure, onReached }
  try {
    return await uploaded(output, () => deliverCapture({ info }, way))
  } finally {
    target.close()
  }
}

/** Packs a capture of a release before this one, which knew no chunks. */
async function pack(
  { egressId }: EgressInfo,
  work: WorkFolder,
): Promise<{ durationMs: number; file: string }> {
  const file = path.join(await work.newAttempt(egressId), 'packed.capture')
  const { startMs, endMs } = await packCapture(work.captureFolderOf(egressId), file)
  return { durationMs: endMs - startMs, file }
}

async function compose(
  { info: { egressId }, job: { plan } }: StoredEgress,
  { work, env, log, signal }: ProduceOptions,
  patienceMs: number,
): Promise<{ durationMs: number; file: string }> {
  const program = findFfmpeg(env)
  if (program === undefined) throw new Error('no ffmpeg found: install it, or set FFMPEG_PATH')
  const captureFolder = work.captureFolderOf(egressId)
  const begunAtMs = performance.now()
  const composed = await again(ATTEMPTS_MAX, { log, egressId, signal }, async () => {
    // An attempt before this one may still be writing, so each has its own folder.
    const folder = await work.newAttempt(egressId)
    const file = path.join(folder, 'composed.mp4')
    const scratchFolder = path.join(folder, 'scratch')
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const captures = [{ folder: captureFolder, exhibits: [] }]
    const composition = { plan, program, captures, scratchFolder, file }
    return { file, ...(await runComposition(composition, limit)) }
  })
  const { durationMs } = composed
  const tookMs = Math.round(performance.now() - begunAtMs)
  log({ level: 'info', msg: 'composition finished', egressId, durationMs, tookMs })
  return composed
}

async function again<T>(
  attemptsMax: number,
  { log, egressId, signal }: { log: Log; egressId: string; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      log({ level: 'warn', msg: 'composition failed', egressId, attempt, reason: reasonOf(error) })
      if (attempt >= attemptsMax || signal.aborted) throw error
    }
  }
}
