import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readPrivateJson } from './lib/private-file.ts'
import { StartError } from './lib/start-error.ts'

interface Holder {
  pid: number
  /** The start time of that process, in the kernel's ticks, because process ids are reused. */
  startedAt: string
}

/**
 * Locks the data directory for one service. The lock of a process that has ended is taken over. Throws StartError while another
 * service holds it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const file = path.join(dataDir, 'lock.json')
  const holder = readPrivateJson<Holder>(file)
  if (holder !== undefined) {
    if (isHolderAlive(holder)) throw inUse(dataDir, holder)
    rmSync(file, { force: true })
  }
  const own: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? '' }
  try {
    // If two starts happen at the same moment, one fails here.
    writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(dataDir, undefined)
    throw error
  }
  return { release: () => rmSync(file, { force: true }) }
}

function inUse(dataDir: string, holder: Holder | undefined): StartError {
  const who = holder === undefined ? '' : ` (process ${holder.pid})`
  return new StartError(
    `${dataDir} is in use by a running service${who}. Stop it, or set DATA_DIR to another folder.`,
  )
}

function isHolderAlive({ pid, startedAt }: Holder): boolean {
  const start = startOf(pid)
  if (start !== undefined) return start === startedAt
  if (process.platform === 'linux') return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Field 22 of /proc/<pid>/stat; undefined without such a process, or without /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie holds no lock.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
