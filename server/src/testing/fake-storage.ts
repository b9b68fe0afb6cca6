import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Storage, StorageError, type StoredObject } from '../storage/storage.ts'

/** An object storage in memory, with what a test needs to look into it and to break it. */
export interface FakeStorage extends Storage {
  objects: Map<string, { body: Buffer; mime: string }>
  /** While true, every call fails as if the storage were down. Signing needs nobody. */
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
      objects.set(key, { body, mime })
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
    async check() {
      called()
    },
  }
  return fake
}

function describe(body: Buffer): StoredObject {
  return { sizeBytes: body.length, etag: createHash('md5').update(body).digest('hex') }
}
