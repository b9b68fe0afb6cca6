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
/** A whole everyday run never has more than a quarter of this there. */
const FREE_BYTES_MIN = 8 * 2 ** 30

/**
 * A folder in memory for the temporary files of a test run. Undefined if the machine has no memory to spare, or
 * forbids running programs there. The tests create hundreds of databases, and in memory that takes a third of the
 * time. The folder is deleted when this process ends. The folder of a killed run is deleted at the next call.
 */
export function makeMemoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  removeLeftovers()
  const { bavail, bsize } = statfsSync(MEMORY)
  if (Math.min(bavail * bsize, process.availableMemory()) < FREE_BYTES_MIN) return undefined
  const folder = path.join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  // PostgreSQL does not run as root, and must be able to read its data.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return runsPrograms(folder) ? folder : undefined
}

function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const pid = name.slice(PREFIX.length)
    // An earlier process with this process's id has left the folder, so delete it, too.
    if (pid !== String(process.pid) && existsSync(path.join('/proc', pid))) continue
    rmSync(path.join(MEMORY, name), { recursive: true, force: true })
  }
}

/** PostgreSQL is copied next to its data and started there. */
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
