import { readFileSync } from 'node:fs'

/** What a process used so far. */
export interface ProcessUsage {
  cpuSec: number
  rssMiB: number
  /** What is left after a full garbage collection; resident memory also holds what is not yet swept. */
  liveMiB: number
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICKS_PER_SEC = 100

/** CPU time from /proc (Linux). */
export function cpuSecOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field may hold spaces; utime and stime are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return ticks / TICKS_PER_SEC
}
