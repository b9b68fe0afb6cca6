import { readdirSync, readFileSync } from 'node:fs'

/** The resources that a process has used so far. */
export interface ProcessUsage {
  cpuSec: number
  rssMiB: number
  /** The heap after a full garbage collection. Resident memory also includes garbage that was not collected yet. */
  liveMiB: number
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICKS_PER_SEC = 100

/**
 * Indexes of the fields in /proc/<pid>/stat. They count from the end of the second field, which may contain spaces.
 */
const OWN = [11, 12]
const CHILDREN = [13, 14]
const PARENT = 1

/** CPU time from /proc (Linux), in user and system mode. */
export function cpuSecOf(pid: number): number {
  return seconds(pid, OWN)
}

/** CPU time of the ended processes that this one, or another, started. */
export function cpuSecOfChildren(pid: number | 'self' = 'self'): number {
  return seconds(pid, CHILDREN)
}

/** CPU time of a process and all its descendants, running or ended. */
export function cpuSecOfTree(pid: number): number {
  const parents = parentsOfAll()
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && (each === pid || isBelow(parents.get(each)))
  const sums = [...parents.keys()].filter(isBelow).map((each) => secondsOrNone(each))
  return sums.reduce((sum, sec) => sum + sec, 0)
}

/** The process that this one has started with this program, by a part of its path. */
export function childOf(pid: number, program: string): number | undefined {
  const children = [...parentsOfAll()].flatMap(([each, parent]) => (parent === pid ? [each] : []))
  return children.find((each) => readOrEmpty(`/proc/${each}/cmdline`).includes(program))
}

/** Resident memory of a process. */
export function rssMiBOf(pid: number): number {
  const [, kb = 'none'] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended meanwhile.
    return ''
  }
}

function parentsOfAll(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    try {
      parents.set(pid, Number(fieldsOf(pid)[PARENT]))
    } catch {
      // The process has ended meanwhile.
    }
  }
  return parents
}

function secondsOrNone(pid: number): number {
  try {
    return seconds(pid, [...OWN, ...CHILDREN])
  } catch {
    // The process has ended meanwhile, and its parent counts it.
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
