import { statfs } from 'node:fs/promises'
import path from 'node:path'

/** An hour of interview is about one GiB, and needs twice that while it is joined. */
export const FREE_MIN_BYTES = 2 * 1024 ** 3

/** The bytes that this process may still write below a folder, which need not exist yet. */
export async function freeBytesIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    const parent = path.dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return freeBytesIn(parent)
  }
}
