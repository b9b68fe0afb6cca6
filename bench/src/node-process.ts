import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = path.resolve(import.meta.dirname, '../..')

export interface NodeProcess {
  pid: number
  /** The first printed line, which means that it is ready. */
  firstLine: string
  stop: () => Promise<void>
}

export interface NodeProgram {
  /** The program and its arguments; the path is relative to the root of the project. */
  command: readonly string[]
  env: Record<string, string>
  /** The file that receives its log. */
  logFile: string
}

/** Starts a process on this Node with only `env` as its environment, and waits for its first line. */
export async function startNode({ command, env, logFile }: NodeProgram): Promise<NodeProcess> {
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [...command], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], NODE_OPTIONS: process.env['NODE_OPTIONS'], ...env },
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  // An aborted run never calls `stop`.
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const { pid, stdout } = child
  if (pid === undefined || stdout === null) throw new Error(`${command.join(' ')} did not start`)
  const line = once(createInterface({ input: stdout }), 'line') as Promise<[string]>
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${command.join(' ')} ended with ${code}; its log is ${logFile}`)
  })
  const [firstLine] = await Promise.race([line, ended])
  // From here on `stop` awaits its end.
  ended.catch(() => {})
  return { pid, firstLine, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
