import { mkdir, readdir, readlink, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { systemClock } from '../lib/clock.ts'
import { isLeftover, ownedName } from '../lib/owned-name.ts'
import { diskFull, diskFullOr } from './media-file-error.ts'

const PRIVATE_DIRECTORY = { recursive: true, mode: 0o700 }

/**
 * Gives `work` a new folder of its own below `root`, and removes it afterwards with all that is in
 * it. Throws `disk_full` where the file system is full.
 */
export async function withWorkspace<T>(
  root: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = path.join(path.resolve(root), ownedName())
  try {
    await mkdir(folder, PRIVATE_DIRECTORY)
    return await work(folder)
  } catch (error) {
    throw diskFullOr(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws `disk_full` unless this many bytes can still be written there. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes) throw diskFull()
}

/**
 * Call it at the start: ends the programs and removes the files of workspaces whose process died. Workspaces of running processes
 * are left alone.
 */
export async function sweepWorkspaces(root: string): Promise<void> {
  const names = await readdir(root).catch(() => [])
  for (const name of names) {
    const folder = path.join(path.resolve(root), name)
    const found = await stat(folder).catch(() => undefined)
    if (found === undefined || !isLeftover(name, found, systemClock().getTime())) continue
    await endProgramsIn(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Only Linux shows where programs run; elsewhere they come to their own end. */
async function endProgramsIn(folder: string): Promise<void> {
  const pids = await readdir('/proc').catch(() => [])
  for (const pid of pids.filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (cwd === folder) killIfAlive(Number(pid))
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
