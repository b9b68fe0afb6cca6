import { constants, createWriteStream, type Stats } from 'node:fs'
import { access, link, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { eachOrThrow } from '../../lib/each-alone.ts'
import type { Storage, StoredObject } from '../../ports/storage.ts'
import type { FileAddresses } from '../file-addresses.ts'
import { attempt, undefinedWhenGone } from '../file-errors.ts'
import { checkObjectKey } from '../object-key.ts'
import { storeStream } from '../store-stream.ts'
import { listFiles, listFilesWithPrefix } from './list-files.ts'
import { createPlacer } from './place-file.ts'

/**
 * Objects as plain files below one folder of this machine, named by their keys. A file is never
 * written in place: it comes whole by a rename, so that readers see the old content or the new.
 */
export function createFolderStorage(folder: string, addresses: FileAddresses): Storage {
  const placer = createPlacer(folder)

  function pathOf(key: string): string {
    checkObjectKey(key)
    return path.join(folder, key)
  }

  return {
    async put(key, body) {
      const target = pathOf(key)
      return storeStream(body, (whole) =>
        attempt('put', () =>
          placer.place(target, (temporary) =>
            pipeline(whole, createWriteStream(temporary, NEW_FILE)).then(() => true),
          ),
        ),
      )
    },

    async read(key) {
      const file = pathOf(key)
      const handle = await attempt('read', () => open(file))
      return handle.createReadStream()
    },

    async head(key) {
      const file = pathOf(key)
      const stats = await attempt('head', () => stat(file).catch(undefinedWhenGone))
      return stats && describe(stats)
    },

    async copy(from, to, { etag }) {
      const [source, target] = [pathOf(from), pathOf(to)]
      // A second name holds on to the content that is there now, whatever replaces it.
      const takeOver = async (temporary: string) => {
        await link(source, temporary)
        return describe(await stat(temporary)).etag === etag
      }
      const stats = await attempt('copy', () =>
        placer.place(target, takeOver).catch(undefinedWhenGone),
      )
      return stats && describe(stats)
    },

    async delete(keys) {
      const files = keys.map(pathOf)
      await attempt('delete', () => eachOrThrow(files, (file) => rm(file, { force: true })))
    },

    locate: async (key) => ({ kind: 'path', path: path.resolve(pathOf(key)) }),

    async egressOutput(key) {
      const file = path.resolve(pathOf(key))
      await attempt('egress', () => placer.makeDirectory(file))
      return { kind: 'file', path: file }
    },

    list: (after) => attempt('list', () => listFiles(folder, after)),
    async listWithPrefix(prefix) {
      checkObjectKey(prefix)
      return attempt('list', () => listFilesWithPrefix(folder, prefix))
    },
    signGet: async (key, options) => addresses.signGet(key, options),
    signPut: async (key, options) => addresses.signPut(key, options),
    check: () => attempt('check', async () => access(await placer.makeReady(), constants.W_OK)),
  }
}

/** Flushed to disk before it is closed: an acknowledged file survives a power cut. */
const NEW_FILE = { flags: 'wx', mode: 0o600, flush: true }

/** New content is a new file, so that these identify it without reading it. */
function describe({ size, mtimeMs, ino }: Stats): StoredObject {
  return { sizeBytes: size, etag: [size, mtimeMs, ino].join('-') }
}
