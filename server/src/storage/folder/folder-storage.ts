import { randomUUID } from 'node:crypto'
import { constants, createWriteStream, type Stats } from 'node:fs'
import { access, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkObjectKey } from '../object-key.ts'
import { watchSource } from '../source.ts'
import { type Storage, StorageError, type StoredObject } from '../storage.ts'
import type { FileAddresses } from './file-addresses.ts'

/** Below the folder: files on their way in. Never a tenant's id. */
const INCOMING = 'incoming'

interface FolderOptions {
  folder: string
  addresses: Pick<FileAddresses, 'signGet' | 'signPut'>
}

/**
 * Objects as plain files below one folder of this machine, named by their keys. A file is never
 * written in place: it comes whole by a rename, so that readers see the old content or the new.
 */
export function createFolderStorage({ folder, addresses }: FolderOptions): Storage {
  const incoming = path.join(folder, INCOMING)
  let hasSwept = false

  function pathOf(key: string): string {
    checkObjectKey(key)
    return path.join(folder, key)
  }

  /** Lets `fill` make a file, and moves it under the key; whatever fails leaves nothing. */
  async function place(target: string, fill: (temporary: string) => Promise<boolean>) {
    const temporary = path.join(incoming, randomUUID())
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    if (!hasSwept) await sweepLeftovers(incoming)
    hasSwept = true
    try {
      if (!(await fill(temporary))) return undefined
      const object = describe(await stat(temporary))
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      await rename(temporary, target)
      await syncDirectory(path.dirname(target))
      return object
    } finally {
      // Also after the rename: two names of one file are left as they are by it.
      await rm(temporary, { force: true })
    }
  }

  return {
    async put(key, body) {
      const target = pathOf(key)
      const source = watchSource(body)
      const write = (temporary: string) =>
        pipeline(source.body, createWriteStream(temporary, NEW_FILE)).then(() => true)
      try {
        await attempt('put', () => place(target, write))
        return { sizeBytes: source.sizeBytes }
      } catch (error) {
        body.destroy()
        throw source.brokenBy === undefined ? error : source.brokenBy.error
      }
    },

    async read(key) {
      const file = pathOf(key)
      const handle = await attempt('read', () => open(file))
      return handle.createReadStream()
    },

    async head(key) {
      const file = pathOf(key)
      return attempt('head', () => stat(file).then(describe).catch(undefinedWhenGone))
    },

    async copy(from, to, { etag }) {
      const source = pathOf(from)
      const target = pathOf(to)
      // A second name holds on to the content that is there now, whatever replaces it.
      const takeOver = async (temporary: string) => {
        await link(source, temporary)
        return describe(await stat(temporary)).etag === etag
      }
      return attempt('copy', () => place(target, takeOver).catch(undefinedWhenGone))
    },

    async delete(keys) {
      const files = keys.map(pathOf)
      await attempt('delete', async () => {
        for (const file of files) await rm(file, { force: true })
      })
    },

    signGet: async (key, options) => addresses.signGet(key, options),
    signPut: async (key, options) => addresses.signPut(key, options),

    async check() {
      await attempt('check', async () => {
        await mkdir(incoming, { recursive: true, mode: 0o700 })
        await access(incoming, constants.W_OK)
      })
    },
  }
}

const LEFTOVER_AFTER_MS = 24 * 60 * 60 * 1000

/** Removes what an upload left there that ended with its process. */
async function sweepLeftovers(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name)
    const found = await stat(file).catch(undefinedWhenGone)
    const ageMs = Date.now() - (found?.mtimeMs ?? Date.now())
    if (ageMs > LEFTOVER_AFTER_MS) await rm(file, { force: true })
  }
}

/** On disk before it is closed: what was acknowledged survives a power cut. */
const NEW_FILE = { flags: 'wx', mode: 0o600, flush: true }

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** New content is a new file, so that these tell it apart without reading it. */
function describe({ size, mtimeMs, ino }: Stats): StoredObject {
  return { sizeBytes: size, etag: [size, mtimeMs, ino].join('-') }
}

function undefinedWhenGone(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

/** The message of a file system error holds the path, hence the key: only its code goes on. */
async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StorageError(`folder storage: ${what} failed: ${codeOf(error) ?? 'unknown'}`)
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}
