import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { StorageError } from '../ports/storage.ts'
import { attempt } from './file-errors.ts'
import { storeStream } from './store-stream.ts'

/** A disk that is full after this many bytes. */
function createDisk(bytesMax: number) {
  let sizeBytes = 0
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      done(sizeBytes > bytesMax ? full : null)
    },
  })
}

const store = (body: Readable, disk: Writable) =>
  storeStream(body, (whole) => attempt('put', () => pipeline(whole, disk)))

test.each([
  ['with its first bytes', 0],
  ['in the middle', 150_000],
])('a storage that fails %s is what failed, not the stream', async (_when, bytesMax) => {
  const body = Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(64 * 1024)))
  const stored = store(body, createDisk(bytesMax))
  await expect(stored).rejects.toThrow(new StorageError('folder storage: put failed: ENOSPC'))
  expect(body.destroyed).toBe(true)
})

test('throws the error of the stream unchanged', async () => {
  const broken = new Error('the sender has gone')
  async function* pieces() {
    yield Buffer.alloc(64 * 1024)
    throw broken
  }
  await expect(store(Readable.from(pieces()), createDisk(Infinity))).rejects.toBe(broken)
})
