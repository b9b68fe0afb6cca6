import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

export interface MemoryPeaks {
  /** The peak of the process itself. The kernel records it, so no peak between two samples is missed. */
  ownMiB: number
  /** The highest sampled sum of its children: ffmpeg. */
  childrenMiB: number
}

const LOOK_EVERY_MS = 50
const CLEAR_PEAK = '5'

/** Watches the resident memory of a process from now on (Linux). */
export function watchMemory(pid: number): { nowMiB: number; end: () => MemoryPeaks } {
  writeFileSync(`/proc/${pid}/clear_refs`, CLEAR_PEAK)
  let childrenMiB = 0
  const timer = setInterval(() => {
    const sum = childrenOf(pid).reduce((total, child) => total + (miBOf(child, 'VmRSS') ?? 0), 0)
    childrenMiB = Math.max(childrenMiB, sum)
  }, LOOK_EVERY_MS)
  return {
    nowMiB: miBOf(pid, 'VmRSS') ?? 0,
    end: () => {
      clearInterval(timer)
      return { ownMiB: miBOf(pid, 'VmHWM') ?? 0, childrenMiB }
    },
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const listed = read(`/proc/${pid}/task/${thread}/children`) ?? ''
    return listed.split(' ').filter(Boolean).map(Number)
  })
}

/** Undefined if the process has ended. */
function miBOf(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  const kiB = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(`/proc/${pid}/status`) ?? '')
  return kiB === null ? undefined : Number(kiB[1]) / 1024
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended meanwhile.
    return undefined
  }
}
