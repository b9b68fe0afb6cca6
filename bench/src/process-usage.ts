import { readdirSync, readFileSync } from 'node:fs'

/** What a process used so far, from /proc (Linux). */
export interface ProcessUsage {
  cpuSec: number
  rssMiB: number
}

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICKS_PER_SEC = 100
const KIB_PER_MIB = 1024

export function usageOf(pid: number): ProcessUsage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field may hold spaces; utime and stime are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return { cpuSec: ticks / TICKS_PER_SEC, rssMiB: Number(rss?.[1]) / KIB_PER_MIB }
}

/** The process whose command line holds all of these words. */
export function findProcess(...words: string[]): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const line = commandLine(entry)
    if (words.every((word) => line.includes(word))) return Number(entry)
  }
  throw new Error(`no process runs ${words.join(' ')}`)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
