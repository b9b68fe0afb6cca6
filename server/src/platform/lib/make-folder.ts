import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * Makes a folder and those above it, for nobody else to read. Not by `recursive` of `mkdir`, which tries forever where a
 * file system takes no folders, such as /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(path.dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process has created it first.
    if (error.code !== 'EEXIST') throw error
  })
}
