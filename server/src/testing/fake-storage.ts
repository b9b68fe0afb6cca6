import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Storage, StorageError, type StoredObject } from '../platform/ports/storage.ts'
import { isObjectKey } from '../platform/storage/object-key.ts'

/** An object storage in memory that tests can inspect and break. */
export interface FakeStorage extends Storage {
  objects: Map<string, { body: Buffer; mime: string; storedAt?: Date }>
  /** Removes the local copies, and the folders that egresses were given. */
  removeFiles(): Promise<void>
  /** While true, every call fails as if the storage were down. Signing still works. */
  isDown: boolean
}

export function createFakeStorage(clock: () => Date = () => new Date()): FakeStorage {
  const objects: FakeStorage['objects'] = new Map()

  function called(): void {
    if (fake.isDown) throw new StorageError('the storage is down')
  }

  function sign(
    method: string,
    key: string,
    { expiresInSec, ...options }: { expiresInSec: number },
  ) {
    const expiresAt = new Date(clock().getTime() + expiresInSec * 1000)
    const query = new URLSearchParams({
      method,
      expires: expiresAt.toISOString(),
      ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)])),
    })
    return { url: `https://storage.test/${key}?${query.toString()}`, expiresAt }
  }

  const fake: FakeStorage = {
    objects,
    isDown: false,
    async put(key, stream, { mime }) {
      const body = await buffer(stream)
      called()
      objects.set(key, { body, mime, storedAt: clock() })
      return { sizeBytes: body.length }
    },
    async read(key) {
      called()
      const object = objects.get(key)
      if (object === undefined) throw new StorageError('no such object')
      return Readable.from([object.body])
    },
    async head(key) {
      called()
      const object = objects.get(key)
      return object && describe(object.body)
    },
    async copy(from, to, { etag }) {
      called()
      const object = objects.get(from)
      if (object === undefined || describe(object.body).etag !== etag) return undefined
      objects.set(to, object)
      return describe(object.body)
    },
    async delete(keys) {
      called()
      for (const key of keys) objects.delete(key)
    },
    signGet: async (key, options) => sign('GET', key, options),
    signPut: async (key, options) => sign('PUT', key, options),
    ...placesOf(objects, { called, clock }),
    removeFiles: () => rm(folderOf(objects), { recursive: true, force: true }),
    async check() {
      called()
    },
  }
  return fake
}

/** The operations for programs beside the service. */
function placesOf(
  objects: FakeStorage['objects'],
  { called, clock }: { called: () => void; clock: () => Date },
): Pick<Storage, 'locate' | 'egressOutput' | 'list' | 'listWithPrefix'> {
  return {
    /** A copy of the current content. */
    async locate(key) {
      called()
      const file = path.join(folderOf(objects), randomUUID())
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, objects.get(key)?.body ?? '')
      return { kind: 'path', path: file }
    },
    async egressOutput(key) {
      return { kind: 'file', path: path.join(folderOf(objects), key) }
    },
    async list() {
      called()
      const listed = [...objects].map(([key, { storedAt = clock() }]) => ({ key, storedAt }))
      return { objects: listed.filter(({ key }) => isObjectKey(key)), next: undefined }
    },
    async listWithPrefix(prefix) {
      called()
      const found = [...objects].filter(([key]) => key.startsWith(prefix))
      return found
        .map(([key, { body }]) => ({ key, sizeBytes: body.length }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    },
  }
}

const folders = new WeakMap<object, string>()

/** Created when it is needed, one for each storage, below the system's folder for temporary files. */
function folderOf(objects: FakeStorage['objects']): string {
  const folder =
    folders.get(objects) ?? path.join(tmpdir(), `interview-room-fake-storage-${randomUUID()}`)
  folders.set(objects, folder)
  return folder
}

function describe(body: Buffer): StoredObject {
  return { sizeBytes: body.length, etag: createHash('md5').update(body).digest('hex') }
}
