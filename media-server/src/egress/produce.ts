import path from 'node:path'
import type { EgressInfo } from '@livekit/protocol'
import type { Log } from '../log.ts'
import { reasonOf } from '../log.ts'
import { findFfmpeg } from './compose/find-ffmpeg.ts'
import { runComposition } from './compose/run-composition.ts'
import { type Delivered, deliver } from './deliver.ts'
import type { EgressJob } from './job.ts'
import type { WorkFolder } from './work-folder.ts'

export interface Produced {
  durationMs: number
  delivered: Delivered
}

export interface ProduceOptions {
  work: WorkFolder
  env: Readonly<Record<string, string | undefined>>
  log: Log
  signal: AbortSignal
  /** Told as delivered, and not there: a fault of tests. */
  isLost: boolean
  /** Of the recording, from the request to its end. */
  lengthMs: number
}

// Composing is many times faster than the recording was long, but the machine may be busy.
const PATIENCE = { baseMs: 5 * 60_000, timesLength: 4 }
const DELIVERY_TIMEOUT_MS = 30 * 60_000
const ATTEMPTS_MAX = 2

/** Composes what an egress captured and delivers the file. */
export async function produce(
  { info, job }: { info: EgressInfo; job: EgressJob },
  { work, env, log, signal, isLost, lengthMs }: ProduceOptions,
): Promise<Produced> {
  const program = findFfmpeg(env)
  if (program === undefined) throw new Error('no ffmpeg found: set FFMPEG_PATH')
  const { plan } = job
  const { egressId } = info
  const captureFolder = work.captureFolderOf(egressId)
  const patienceMs = PATIENCE.baseMs + PATIENCE.timesLength * lengthMs
  const begunAtMs = Date.now()
  const { durationMs, file } = await again(ATTEMPTS_MAX, { log, egressId, signal }, async () => {
    // What an attempt before this one still writes does not get in the way.
    const folder = await work.newAttempt(egressId)
    const composed = path.join(folder, 'composed.mp4')
    const scratchFolder = path.join(folder, 'scratch')
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const composition = { plan, program, captureFolder, scratchFolder, file: composed }
    return { file: composed, ...(await runComposition(composition, limit)) }
  })
  log({
    level: 'info',
    msg: 'egress composed',
    egressId,
    durationMs,
    tookMs: Date.now() - begunAtMs,
  })
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)])
  return { durationMs, delivered: await deliver(file, job, { signal: limit, isLost }) }
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
      log({ level: 'warn', msg: 'egress not composed', egressId, attempt, reason: reasonOf(error) })
      if (attempt >= attemptsMax || signal.aborted) throw error
    }
  }
}
