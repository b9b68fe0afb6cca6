import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { reasonOf } from '../../log.ts'
import { type CompositionJob, compose } from './compose.ts'

// A process of its own, below live rooms in rank: its job comes on stdin, its answer goes to stdout.
// What it starts inherits the rank, and ends when the pipes to this process break.
const NICENESS = 10

try {
  setPriority(NICENESS)
  const job = JSON.parse(await text(process.stdin)) as CompositionJob
  const durationMs = await compose(job)
  process.stdout.write(JSON.stringify({ durationMs }))
} catch (error) {
  process.stdout.write(JSON.stringify({ error: reasonOf(error) }))
  process.exitCode = 1
}
