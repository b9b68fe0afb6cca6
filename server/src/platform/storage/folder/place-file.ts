import type { Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { systemClock } from '../../lib/clock.ts'
import { makeFolder } from '../../lib/make-folder.ts'
import { isLeftover, ownedName } from '../../lib/owned-name.ts'
import { undefinedWhenGone } from '../file-errors.ts'

/** Below the folder: files on their way in. Never a tenant's id. */
const INCOMING = 'incoming'
const PRIVATE_DIRECTORY = { recursive: true, mode: 0o700 }

/** Brings files into the folder whole or not at all. */
export interface Placer {
  /** Creates the folder for incoming files; returns its path. */
  makeReady(): Promise<string>
  /** Makes the directory that the target is to lie in. */
  makeDirectory(target: string): Promise<void>
  /**
   * Lets `fill` make a file, and moves it to the target. Undefined when `fill` would not have it;
   * what was begun is removed.
   */
  place(target: string, fill: (temporary: string) => Promise<boolean>): Promise<Stats | undefined>
}

export function createPlacer(folder: string): Placer {
  const incoming = path.join(folder, INCOMING)
  let hasSwept = false

  async function makeReady(): Promise<string> {
    await makeFolder(incoming)
    if (!hasSwept) await sweepLeftovers(incoming)
    hasSwept = true
    return incoming
  }

  return {
    makeReady,
    makeDirectory,
    async place(target, fill) {
      const temporary = path.join(await makeReady(), ownedName())
      try {
        if (!(await fill(temporary))) return undefined
        const stats = await stat(temporary)
        await makeDirectory(target)
        await rename(temporary, target)
        await syncDirectory(path.dirname(target))
        return stats
      } finally {
        // Needed even after the rename, which does nothing if both names are the same file.
        await rm(temporary, { force: true })
      }
    },
  }
}

async function makeDirectory(target: string): Promise<void> {
  await mkdir(path.dirname(target), PRIVATE_DIRECTORY)
}

/** Removes the files of uploads whose process has ended. */
async function sweepLeftovers(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name)
    const found = await stat(file).catch(undefinedWhenGone)
    if (found !== undefined && isLeftover(name, found, systemClock().getTime()))
      await rm(file, { force: true })
  }
}

/** A name in a directory is on disk only when the directory is. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
