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

/** Places in /proc/<pid>/stat, counted from behind the second field, which may hold spaces. */
const OWN = [11, 12]
const CHILDREN = [13, 14]

/** CPU time from /proc (Linux), in user and system mode. */
export function cpuSecOf(pid: number): number {
  return seconds(pid, OWN)
}

/** The same of the processes that this one, or another, started and that have ended. */
export function cpuSecOfChildren(pid: number | 'self' = 'self'): number {
  return seconds(pid, CHILDREN)
}

function seconds(pid: number | 'self', places: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = places.reduce((sum, place) => sum + Number(fields[place]), 0)
  return ticks / TICKS_PER_SEC
}
