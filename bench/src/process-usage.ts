import { readdirSync, readFileSync } from 'node:fs'

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
const PARENT = 1

/** CPU time from /proc (Linux), in user and system mode. */
export function cpuSecOf(pid: number): number {
  return seconds(pid, OWN)
}

/** The same of the processes that this one, or another, started and that have ended. */
export function cpuSecOfChildren(pid: number | 'self' = 'self'): number {
  return seconds(pid, CHILDREN)
}

/** The same of a process, of everything that it started, and of what those started, running or ended. */
export function cpuSecOfTree(pid: number): number {
  const parents = parentsOfAll()
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && (each === pid || isBelow(parents.get(each)))
  const sums = [...parents.keys()].filter(isBelow).map((each) => secondsOrNone(each))
  return sums.reduce((sum, sec) => sum + sec, 0)
}

function parentsOfAll(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    try {
      parents.set(pid, Number(fieldsOf(pid)[PARENT]))
    } catch {
      // It has ended meanwhile.
    }
  }
  return parents
}

function secondsOrNone(pid: number): number {
  try {
    return seconds(pid, [...OWN, ...CHILDREN])
  } catch {
    // It has ended meanwhile: its parent counts it.
    return 0
  }
}

function fieldsOf(pid: number | 'self'): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function seconds(pid: number | 'self', places: readonly number[]): number {
  const fields = fieldsOf(pid)
  const ticks = places.reduce((sum, place) => sum + Number(fields[place]), 0)
  return ticks / TICKS_PER_SEC
}
