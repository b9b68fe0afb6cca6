import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { readPrivateJson, writePrivateJson } from './private-file.ts'
import { StartError } from './start-error.ts'

interface Holder {
  pid: number
  /** When that process started, in the kernel's ticks: process ids are used again. */
  startedAt: string
}

/**
 * One service per data directory. A lock whose process is gone is taken over. Throws StartError
 * while another service holds it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const file = path.join(dataDir, 'lock.json')
  const holder = readPrivateJson<Holder>(file)
  if (holder !== undefined && holder.pid !== process.pid && isHolderAlive(holder)) {
    throw new StartError(
      `${dataDir} is in use by a running service (process ${holder.pid}). Stop it, or set DATA_DIR.`,
    )
  }
  writePrivateJson(file, { pid: process.pid, startedAt: startOf(process.pid) ?? '' })
  return { release: () => rmSync(file, { force: true }) }
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

/** Field 22 of /proc/<pid>/stat; undefined when there is no such process, or no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie is nobody.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
