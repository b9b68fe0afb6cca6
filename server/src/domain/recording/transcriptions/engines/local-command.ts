import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { LocalCommandSettings } from '../../../../platform/config/transcription-config.ts'
import { type Engine, EngineError, invalidResult, type Submission } from './engine.ts'
import { parseOutput } from './parse-output.ts'
import { silenceLimitSec } from './silence-limit.ts'

const OUTPUT_MAX = 50 * 1024 * 1024
/** Rooms have priority. */
const NICENESS = 10

/**
 * Runs any program of this machine that reads a WAV file and prints WebVTT, SRT or JSON, without a shell. A program that
 * fails or never ends may succeed at the next attempt.
 */
export function createLocalEngine({ command, languages, withheld }: LocalCommandSettings): Engine {
  return {
    name: 'local',
    capabilities: {
      languages,
      translatesFrom: command.some((part) => part.includes('{task}')) ? languages : [],
      audioMaxSec: 6 * 3600,
      audioMaxBytes: Number.MAX_SAFE_INTEGER,
      speakerLabels: false,
      audioFormat: 'wav',
    },
    async submit(submission) {
      const { language, translate } = submission
      const env = Object.entries(process.env).filter(([name]) => !withheld.has(name))
      const output = await run(command, submission, Object.fromEntries(env))
      return { kind: 'done', words: parseOutput(output, translate ? 'en-US' : language) }
    },
  }
}

async function run(
  [program, ...rest]: readonly [string, ...string[]],
  order: Submission,
  env: Readonly<Record<string, string | undefined>>,
) {
  const { path: audio, durationSec, language, translate, signal } = order
  signal.throwIfAborted()
  const filled = { audio, language, lang: language.slice(0, 2) }
  const task = translate ? 'translate' : 'transcribe'
  const args = rest.map((part) => fill(part, { ...filled, task }))
  const child = spawn(program, args, {
    cwd: path.dirname(audio),
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const kill = () => killGroup(child.pid)
  const timedOut = AbortSignal.timeout(Math.ceil(silenceLimitSec(durationSec) * 1000))
  for (const ending of [signal, timedOut]) ending.addEventListener('abort', kill)
  const closed = once(child, 'close') as Promise<[code: number | null]>
  try {
    lowerPriority(child.pid)
    const [[code], output] = await Promise.all([closed, readBounded(child.stdout, kill)])
    signal.throwIfAborted()
    if (timedOut.aborted) throw failed('the program ran for too long', 'timed_out')
    if (output === undefined) throw invalidResult('the program printed more than anybody says')
    if (code !== 0) throw failed('the program failed', 'vendor_unavailable')
    return output
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof EngineError ? error : failed('it cannot be run', 'vendor_unavailable')
  } finally {
    for (const ending of [signal, timedOut]) ending.removeEventListener('abort', kill)
  }
}

export function fill(part: string, values: Record<string, string>): string {
  return part.replaceAll(/\{(\w+)\}/g, (found, name: string) => values[name] ?? found)
}

function failed(message: string, reason: 'timed_out' | 'vendor_unavailable'): EngineError {
  return new EngineError(message, { isTransient: true, reason })
}

/** Returns undefined and stops the program when it prints too much. */
async function readBounded(stream: Readable, stop: () => void): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= OUTPUT_MAX) chunks.push(chunk)
    else stop()
  }
  return size > OUTPUT_MAX ? undefined : Buffer.concat(chunks).toString('utf8')
}

export function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // The process has already ended.
  }
}

export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
