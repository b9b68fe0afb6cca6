import { statfs } from 'node:fs/promises'
import type { WorkFolder } from './work-folder.ts'

// Composing needs as much again as was captured; the file itself is smaller.
const COMPOSING_SHARE = 2
const RESERVE_BYTES = 256 * 1024 * 1024

export type FreeSpace = (folder: string) => Promise<number>

/** Whether what is being recorded could still be composed, and a little more be captured. */
export async function hasSpace(work: WorkFolder, freeBytes: FreeSpace): Promise<boolean> {
  const neededBytes = COMPOSING_SHARE * (await work.capturedBytes()) + RESERVE_BYTES
  return (await freeBytes(work.root)) > neededBytes
}

/** What this process may still write on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
