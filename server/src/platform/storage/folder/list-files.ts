import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ListedObject, ObjectPage, SizedObject } from '../../ports/storage.ts'
import { undefinedWhenGone } from '../file-errors.ts'
import { isObjectKey } from '../object-key.ts'

const PAGE = 1000

/** The files of objects below the folder, by tenant, kind and name; those after this key. */
export async function listFiles(folder: string, after = ''): Promise<ObjectPage> {
  const objects: ListedObject[] = []
  for await (const key of keysAfter(folder, after.split('/'))) {
    const found = await stat(path.join(folder, key)).catch(undefinedWhenGone)
    if (found?.isFile() === true) objects.push({ key, storedAt: found.mtime })
    if (objects.length === PAGE) return { objects, next: key }
  }
  return { objects, next: undefined }
}

/** The files of objects whose keys begin so: all of them are in one directory. */
export async function listFilesWithPrefix(folder: string, prefix: string): Promise<SizedObject[]> {
  const directory = path.dirname(prefix)
  const first = path.basename(prefix)
  const names = await namesFrom(path.join(folder, directory), first)
  const keys = names
    .filter((name) => name.startsWith(first))
    .map((name) => `${directory}/${name}`)
    .filter(isObjectKey)
  const found = await Promise.all(
    keys.map(async (key) => {
      const stats = await stat(path.join(folder, key)).catch(undefinedWhenGone)
      return stats?.isFile() === true ? [{ key, sizeBytes: stats.size }] : []
    }),
  )
  return found.flat()
}

async function* keysAfter(folder: string, after: readonly string[]): AsyncGenerator<string> {
  const [tenantAfter = '', kindAfter = '', nameAfter = ''] = after
  for (const tenant of await namesFrom(folder, tenantAfter)) {
    const isSameTenant = tenant === tenantAfter
    const kinds = await namesFrom(path.join(folder, tenant), isSameTenant ? kindAfter : '')
    for (const kind of kinds) {
      const isSame = isSameTenant && kind === kindAfter
      const names = await namesFrom(path.join(folder, tenant, kind), isSame ? nameAfter : '')
      const left = isSame ? names.filter((name) => name !== nameAfter) : names
      yield* left.map((name) => `${tenant}/${kind}/${name}`).filter(isObjectKey)
    }
  }
}

/** Names in an order that does not depend on the file system, from this one on. */
async function namesFrom(directory: string, first: string): Promise<string[]> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    // A file where we have directories is not ours.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  return entries.filter((name) => name >= first).toSorted()
}
