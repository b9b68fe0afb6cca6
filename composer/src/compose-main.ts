import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { type Composed, type CompositionJob, compose } from './compose.ts'
import { EmptyCapturesError, UnreadableCaptureError } from './read-material.ts'

// A separate process with a lower priority than live rooms. Its job is the first line of stdin. It writes its progress and its
// result to stdout, one line each. Its child processes inherit the priority, and end when their pipes to it break.
const NICENESS = 5

/** One line of the output. */
export type CompositionReport =
  | { done: number }
  | Composed
  | { error: string; unreadable?: number; isEmpty?: true }

const lines = createInterface({ input: process.stdin })
// A parent that was killed cannot stop its child, but its end of the pipe closes.
lines.once('close', () => process.exit(1))
lines.once('line', (line) => void work(line))

async function work(line: string): Promise<void> {
  try {
    setPriority(NICENESS)
    process.umask(0o077)
    const onProgress = (done: number) => void process.stdout.write(lineOf({ done }))
    answer(await compose(JSON.parse(line) as CompositionJob, onProgress))
  } catch (error) {
    answer({
      error: error instanceof Error ? error.message : String(error),
      ...(error instanceof UnreadableCaptureError && { unreadable: error.index }),
      ...(error instanceof EmptyCapturesError && { isEmpty: true }),
    })
  }
}

function answer(result: CompositionReport): void {
  process.stdout.write(lineOf(result), () => process.exit(0))
}

function lineOf(report: CompositionReport): string {
  return `${JSON.stringify(report)}\n`
}
