import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The state that a running server writes to its data folder. */
export interface PostmasterPid {
  pid: number
  port: number
  isReady: boolean
}

/** Lines of `postmaster.pid`: pid, data folder, start time, port, socket folder, address, memory, status. */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), isReady: lines[7] === 'ready' }
}

/**
 * The server that runs on this data folder, or undefined. A left-over file may name an unrelated process, because process ids are
 * reused. So the process itself is checked.
 */
export function findPostmaster(dataFolder: string): PostmasterPid | undefined {
  const text = readOrUndefined(path.join(dataFolder, 'postmaster.pid'))
  const found = text === undefined ? undefined : parsePostmasterPid(text)
  if (found === undefined || !isPostgresOn(found.pid, dataFolder)) return undefined
  return found
}

export function isPostgresOn(pid: number, dataFolder: string): boolean {
  const commandLine = readOrUndefined(`/proc/${pid}/cmdline`)
  // Without /proc (macOS) a signal must do: it shows that the process exists and is ours.
  if (commandLine === undefined) return process.platform !== 'linux' && isAlive(pid)
  const words = commandLine.split('\0')
  return path.basename(words[0] ?? '') === 'postgres' && words.includes(dataFolder)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function readOrUndefined(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
