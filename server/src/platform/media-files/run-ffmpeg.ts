import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { programEnvironment } from '@interview-room/composer/program-environment.ts'
import type { Logger } from 'pino'
import { diskFull, MediaFileError, saysDiskFull } from './media-file-error.ts'

/** A lower priority than everything that answers somebody: rooms come first. */
const NICENESS = 10

const LINES_MAX = 20
const LINE_MAX = 300

export interface FfmpegRun {
  /** Inputs, filters and output; paths are absolute. */
  args: readonly string[]
  /** The working directory. A sweep of the folder finds the program by it. */
  folder: string
  deadlineMs: number
  signal: AbortSignal
  log: Logger
  /** Called about twice a second with the finished seconds of the result. */
  onProgress?: (doneSec: number) => void
}

type Ffmpeg = ChildProcessByStdio<null, Readable, Readable>

/**
 * Runs ffmpeg in a process group of its own, and kills it when the signal is aborted or the
 * deadline passes. Throws the signal's reason, or `MediaFileError`: `timed_out`, `disk_full`,
 * `no_ffmpeg`, `failed`. What it wrote last goes to the log, without addresses and paths.
 */
export async function runFfmpeg(ffmpeg: string, run: FfmpegRun): Promise<void> {
  const { args, folder, deadlineMs, signal, log } = run
  signal.throwIfAborted()
  const child = spawn(ffmpeg, [...GLOBAL_OPTIONS, ...args], {
    cwd: folder,
    env: programEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close') as Promise<[code: number | null]>
  const words = lastLines(child.stderr)
  followProgress(child, run)

  const timedOut = AbortSignal.timeout(Math.ceil(deadlineMs))
  const kill = () => killGroup(child)
  for (const ending of [signal, timedOut]) ending.addEventListener('abort', kill)
  try {
    lowerPriority(child)
    const [code] = await closed.catch(() => {
      throw new MediaFileError('no_ffmpeg', 'ffmpeg cannot be started')
    })
    signal.throwIfAborted()
    if (timedOut.aborted) throw new MediaFileError('timed_out', 'ffmpeg ran for too long')
    // Some versions exit with success although the last bytes did not fit.
    const isFull = words().some((line) => saysDiskFull(line))
    if (code === 0 && !isFull) return
    log.warn({ code, ffmpeg: words() }, 'ffmpeg failed')
    if (isFull) throw diskFull()
    throw new MediaFileError('failed', 'ffmpeg failed')
  } finally {
    for (const ending of [signal, timedOut]) ending.removeEventListener('abort', kill)
  }
}

const GLOBAL_OPTIONS = '-hide_banner -nostdin -nostats -loglevel warning -progress pipe:1 -y'.split(
  ' ',
)

function followProgress({ stdout }: Ffmpeg, { onProgress }: Pick<FfmpegRun, 'onProgress'>): void {
  createInterface({ input: stdout }).on('line', (line) => {
    // `out_time_ms` is in microseconds in one version and in milliseconds in another.
    const time = /^out_time=(\d+):(\d+):(\d+\.\d+)$/.exec(line)
    if (time === null) return
    const [hours, minutes, seconds] = time.slice(1).map(Number) as [number, number, number]
    onProgress?.(hours * 3600 + minutes * 60 + seconds)
  })
}

/** Lets a program that was started run below everything that answers somebody. */
export function lowerPriority({ pid }: Pick<ChildProcess, 'pid'>): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It has ended already.
  }
}

function killGroup({ pid }: Ffmpeg): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** The last lines that a program wrote, without addresses and paths: these open or name files. */
function lastLines(stream: Readable): () => readonly string[] {
  const lines: string[] = []
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(withoutPlaces(line).slice(0, LINE_MAX))
    if (lines.length > LINES_MAX) lines.shift()
  })
  return () => lines
}

function withoutPlaces(line: string): string {
  return line
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi, '<address>')
    .replaceAll(/(?:\/[^\s'":/]+){2,}/g, '<path>')
}
