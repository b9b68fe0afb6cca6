import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { type CompositionJob, compose } from './compose.ts'

// A process of its own, below live rooms in rank: its job is the first line of stdin, its answer goes
// to stdout. What it starts inherits the rank, and ends when the pipes to this process break.
const NICENESS = 5

const lines = createInterface({ input: process.stdin })
// A parent that was killed cannot stop its child, but its end of the pipe closes.
lines.once('close', () => process.exit(1))
lines.once('line', (line) => void work(line))

async function work(line: string): Promise<void> {
  try {
    setPriority(NICENESS)
    process.umask(0o077)
    const durationMs = await compose(JSON.parse(line) as CompositionJob)
    answer({ durationMs })
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) })
  }
}

function answer(result: { durationMs: number } | { error: string }): void {
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}
