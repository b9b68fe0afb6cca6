import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import {
  type Composed,
  type CompositionJob,
  compose,
  composeNext,
  type PieceJob,
} from './compose.ts'
import type { Piece } from './pieces.ts'
import { EmptyCapturesError, UnreadableCaptureError } from './read-material.ts'

// A separate process with a lower priority than live rooms. Its job is the first line of stdin. It writes its progress and its
// result to stdout, one line each. Its child processes inherit the priority, and end when their pipes to it break.

/** Somebody waits for a file. Nobody waits for a piece of a recording that runs. */
const NICENESS = { file: 10, piece: 19 }

export type CompositionOrder = { file: CompositionJob } | { piece: PieceJob }

/** One line of the output. */
export type CompositionReport =
  | { done: number }
  | { composed: Composed }
  /** Null if there is too little for one. */
  | { piece: Piece | null }
  | { error: string; unreadable?: number; isEmpty?: true }

const lines = createInterface({ input: process.stdin })
// A parent that was killed cannot stop its child, but its end of the pipe closes.
lines.once('close', () => process.exit(1))
lines.once('line', (line) => void work(line))

async function work(line: string): Promise<void> {
  try {
    process.umask(0o077)
    answer(await carryOut(JSON.parse(line) as CompositionOrder))
  } catch (error) {
    answer({
      error: error instanceof Error ? error.message : String(error),
      ...(error instanceof UnreadableCaptureError && { unreadable: error.index }),
      ...(error instanceof EmptyCapturesError && { isEmpty: true }),
    })
  }
}

async function carryOut(order: CompositionOrder): Promise<CompositionReport> {
  if ('piece' in order) {
    setPriority(NICENESS.piece)
    return { piece: (await composeNext(order.piece)) ?? null }
  }
  setPriority(NICENESS.file)
  return { composed: await compose(order.file, reportDone) }
}

function reportDone(done: number): void {
  process.stdout.write(lineOf({ done }))
}

function answer(result: CompositionReport): void {
  process.stdout.write(lineOf(result), () => process.exit(0))
}

function lineOf(report: CompositionReport): string {
  return `${JSON.stringify(report)}\n`
}
