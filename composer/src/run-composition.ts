import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { CompositionJob } from './compose.ts'

// Compiled or not, it is the sibling of this file.
const PROGRAM = fileURLToPath(
  new URL(`./compose-main${path.extname(import.meta.url)}`, import.meta.url),
)

/** Composes in a process of its own. Rejects with what went wrong, also when it is aborted. */
export async function runComposition(
  job: CompositionJob,
  signal: AbortSignal,
): Promise<{ durationMs: number }> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // The cache of compiled code, where there is one, makes the start half as much work.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    },
  })
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  try {
    child.stdin.on('error', () => {})
    // Left open: it closes when this process ends, and then the child ends too.
    child.stdin.write(`${JSON.stringify(job)}\n`)
    const exited = once(child, 'close')
    const [answer, complaint] = await Promise.all([text(child.stdout), text(child.stderr), exited])
    signal.throwIfAborted()
    const result = parse(answer)
    if (result.durationMs !== undefined) return { durationMs: result.durationMs }
    throw new Error(
      result.error ?? `the composition ended without an answer: ${complaint.slice(-500)}`,
    )
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

function parse(answer: string): { durationMs?: number; error?: string } {
  try {
    return JSON.parse(answer) as { durationMs?: number; error?: string }
  } catch {
    return {}
  }
}
