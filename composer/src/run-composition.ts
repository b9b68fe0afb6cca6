import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { CompositionOrder, CompositionReport } from './compose-main.ts'
import type { Composed, CompositionJob, PieceJob } from './compose.ts'
import type { Piece } from './pieces.ts'
import { programEnvironment } from './program-environment.ts'

// Compiled or not, it is the sibling of this file.
const PROGRAM = fileURLToPath(
  new URL(`./compose-main${path.extname(import.meta.url)}`, import.meta.url),
)

/**
 * Pictures pass through memory that is collected as soon as the heap looks full. From its small default size that
 * is twice a second, a third of the work of this process.
 */
const HEAP = '--initial-heap-size=128'

/** Why nothing was composed. */
export class CompositionError extends Error {
  override name = 'CompositionError'
  /** The index of a capture that can never be read; undefined if another attempt may help. */
  readonly unreadable: number | undefined
  /** Nothing could be seen or heard in any of the captures. */
  readonly isEmpty: boolean

  constructor(
    message: string,
    { unreadable, isEmpty = false }: { unreadable?: number; isEmpty?: boolean } = {},
  ) {
    super(message)
    this.unreadable = unreadable
    this.isEmpty = isEmpty
  }
}

/**
 * Composes in a process of its own, and reports the share that is done, 0 to 1, about once for each recorded
 * second. Throws `CompositionError`, or the signal's reason.
 */
export async function runComposition(
  job: CompositionJob,
  signal: AbortSignal,
  onProgress: (share: number) => void = () => {},
): Promise<Composed> {
  const answer = await carryOut({ file: job }, signal, onProgress)
  if ('composed' in answer) return answer.composed
  throw errorOf(answer)
}

/**
 * Composes the next piece of a capture that goes on, at the lowest priority; undefined if there is too little for one. Throws
 * `CompositionError`, or the signal's reason.
 */
export async function runPiece(job: PieceJob, signal: AbortSignal): Promise<Piece | undefined> {
  const answer = await carryOut({ piece: job }, signal, () => {})
  if ('piece' in answer) return answer.piece ?? undefined
  throw errorOf(answer)
}

type Answer = Exclude<CompositionReport, { done: number }>

function errorOf(answer: Answer): CompositionError {
  const failed = 'error' in answer ? answer : { error: 'the composition gave another answer' }
  return new CompositionError(failed.error, failed)
}

async function carryOut(
  order: CompositionOrder,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Answer> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [HEAP, PROGRAM], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // The cache of compiled code, if there is one, halves the work of the start.
    env: {
      ...programEnvironment(),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    },
  })
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  try {
    child.stdin.on('error', () => {})
    // Left open: it closes when this process ends, and then the child ends too.
    child.stdin.write(`${JSON.stringify(order)}\n`)
    const exited = once(child, 'close')
    const [answer, complaint] = await Promise.all([
      readAnswer(child.stdout, onProgress),
      text(child.stderr),
      exited,
    ])
    signal.throwIfAborted()
    if (answer !== undefined) return answer
    throw new CompositionError(`the composition ended without an answer: ${complaint.slice(-500)}`)
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

async function readAnswer(
  stdout: Readable,
  onProgress: (share: number) => void,
): Promise<Answer | undefined> {
  let answer: Answer | undefined
  for await (const line of createInterface({ input: stdout })) {
    const report = parse(line)
    if (report === undefined) continue
    if ('done' in report) onProgress(report.done)
    else answer = report
  }
  return answer
}

/** Undefined for a truncated line. */
function parse(line: string): CompositionReport | undefined {
  try {
    return JSON.parse(line) as CompositionReport
  } catch {
    return undefined
  }
}
