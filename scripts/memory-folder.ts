import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'interview-room-tests-'
/** A whole everyday run leaves less than a quarter of it there at any moment. */
const FREE_BYTES_MIN = 8 * 2 ** 30

/**
 * A folder in memory for the temporary files of a test run, or undefined where the machine has no room for it or
 * runs no programs from there. The tests make databases by the hundred, and in memory that is a third of the
 * work. It goes when this process ends; one that a killed run left goes at the next call.
 */
export function makeMemoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  removeLeftovers()
  const { bavail, bsize } = statfsSync(MEMORY)
  if (Math.min(bavail * bsize, process.availableMemory()) < FREE_BYTES_MIN) return undefined
  const folder = path.join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  // PostgreSQL does not run as root, and must reach its data.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return runsPrograms(folder) ? folder : undefined
}

function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const pid = name.slice(PREFIX.length)
    // Ours, too: an earlier process with the same id has left it.
    if (pid !== String(process.pid) && existsSync(path.join('/proc', pid))) continue
    rmSync(path.join(MEMORY, name), { recursive: true, force: true })
  }
}

/** PostgreSQL is copied to its data, and started there. */
function runsPrograms(folder: string): boolean {
  const program = path.join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}
