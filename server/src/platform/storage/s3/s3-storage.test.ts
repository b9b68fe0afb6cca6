import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../../testing/wait-for.ts'
import { systemClock } from '../../lib/clock.ts'
import { type Storage, StorageError } from '../../ports/storage.ts'
import { startTestS3, type TestS3 } from '../testing/s3-server.ts'
import { S3_TIMEOUTS } from './s3-client.ts'
import { createS3Storage } from './s3-storage.ts'

const KEY = `${randomUUID()}/recordings/${randomUUID()}`
const MIME = { mime: 'video/mp4' }
const PART = 5 * 1024 * 1024

let server: TestS3
beforeAll(async () => {
  server = await startTestS3()
})
afterEach(() => {
  server.fault = undefined
})
afterAll(() => server.close())

function open(changes: Partial<TestS3['config']> = {}): Storage {
  return createS3Storage({ ...server.config, ...changes }, systemClock)
}

/** Headers by which a server may check the body. */
const CHECKSUM = /^content-md5$|checksum/

/** Every call that asks the server. */
const CALLS: readonly (readonly [name: string, call: (storage: Storage) => Promise<unknown>])[] = [
  ['put', (storage) => storage.put(KEY, Readable.from(['x']), MIME)],
  ['put', (storage) => storage.put(KEY, Readable.from(['x']), { ...MIME, isAwaited: true })],
  ['read', (storage) => storage.read(KEY)],
  ['head', (storage) => storage.head(KEY)],
  ['copy', (storage) => storage.copy(KEY, KEY, { sizeBytes: 1, etag: '"x"' })],
  ['delete', (storage) => storage.delete([KEY])],
  ['list', (storage) => storage.list()],
  ['list', (storage) => storage.listWithPrefix(`${KEY}.`)],
  ['check', (storage) => storage.check()],
]

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each(CALLS)('%s', (name, call) => {
  test.each([
    [403, 'AccessDenied'],
    [500, 'InternalError'],
    [503, 'SlowDown'],
  ])('answered with %i %s is a StorageError', async (status, code) => {
    server.fault = () => ({ status, code })
    const failure = await failureOf(call(open()))
    expect(failure).toBeInstanceOf(StorageError)
    expect(String(failure)).toMatch(new RegExp(`S3: ${name} failed: \\w+ \\(${status}\\)$`))
    expect((failure as StorageError).cause).toBeUndefined()
  })

  test('with a wrong secret is a StorageError that holds no secret', async () => {
    const secretAccessKey = 'not-this-one'
    const failure = await failureOf(call(open({ secretAccessKey })))
    expect(failure).toBeInstanceOf(StorageError)
    expect(String(failure)).not.toMatch(/not-this-one|AKIDTESTS|said-by-the-server/)
    expect(String(failure)).not.toContain(KEY)
  })

  test('without a server is a StorageError', async () => {
    const failure = await failureOf(call(open({ endpoint: 'http://127.0.0.1:1' })))
    expect(failure).toBeInstanceOf(StorageError)
    expect(String(failure)).toContain('ECONNREFUSED')
  })

  test('with a silent server is a StorageError after the time given to it', async () => {
    server.fault = () => 'silence'
    const timeouts = {
      ...S3_TIMEOUTS,
      smallAnswer: 100,
      partAnswer: 100,
      small: 5_000,
      copy: 300,
      silence: 100,
    }
    const storage = createS3Storage(server.config, systemClock, timeouts)
    expect(await failureOf(call(storage))).toBeInstanceOf(StorageError)
  })
})

test('a missing bucket does not make an object count as deleted', async () => {
  const storage = open({ bucket: 'another' })
  expect(await failureOf(storage.copy(KEY, KEY, { sizeBytes: 1, etag: '"x"' }))).toBeInstanceOf(
    StorageError,
  )
  expect(await failureOf(storage.check())).toBeInstanceOf(StorageError)
})

test('one failure of the server is made good by asking again', async () => {
  let failures = 1
  server.fault = () => (failures-- > 0 ? { status: 503, code: 'SlowDown' } : undefined)
  expect(await open().head(KEY)).toBeUndefined()
})

test('a key that could not be deleted among others is a StorageError', async () => {
  server.answerToDelete = '<Error><Key>k</Key><Code>AccessDenied</Code></Error>'
  expect(await failureOf(open().delete([KEY]))).toEqual(
    new StorageError('S3: delete failed for 1 keys: AccessDenied'),
  )
  server.answerToDelete = '<Error><Key>k</Key><Code>NoSuchKey</Code></Error>'
  await expect(open().delete([KEY])).resolves.toBeUndefined()
  server.answerToDelete = ''
})

test('objects are deleted on a server that knows no checksum but Content-MD5', async () => {
  await open().put(KEY, Readable.from(['x']), MIME)
  let checksums: string[] = []
  server.fault = ({ url = '', headers }) => {
    if (url.includes('delete'))
      checksums = Object.keys(headers).filter((name) => CHECKSUM.test(name))
    return undefined
  }
  await open().delete([KEY])
  expect(await open().head(KEY)).toBeUndefined()
  expect(checksums).toEqual(['content-md5'])
})

test('deletes the keys after a batch that could not be deleted', async () => {
  await open().put(KEY, Readable.from(['x']), MIME)
  let failures = 1
  server.fault = () => (failures-- > 0 ? { status: 403, code: 'AccessDenied' } : undefined)
  const before = Array.from({ length: 1000 }, () => `${randomUUID()}/recordings/${randomUUID()}`)
  expect(await failureOf(open().delete([...before, KEY]))).toBeInstanceOf(StorageError)
  expect(await open().head(KEY)).toBeUndefined()
})

describe('an upload of several parts', () => {
  test('leaves no parts when the stream breaks', async () => {
    let begun = 0
    async function* broken() {
      yield randomBytes(PART)
      yield randomBytes(PART)
      await waitFor(() => server.uploads.size > 0)
      begun = server.uploads.size
      throw new Error('the sender went away')
    }
    const put = open().put(KEY, Readable.from(broken()), MIME)
    await expect(put).rejects.toThrow('the sender went away')
    expect(begun).toBe(1)
    expect(server.uploads.size).toBe(0)
    expect(server.objects.has(KEY)).toBe(false)
  })

  test('sends one part after the other, which a slow line carries', async () => {
    const stored: number[] = []
    server.fault = ({ url }) => {
      if (url?.includes('partNumber=') === true) {
        stored.push(...[...server.uploads.values()].map((parts) => parts.size))
      }
      return undefined
    }
    const body = Readable.from(Array.from({ length: 4 }, () => randomBytes(PART)))
    await open().put(`${KEY}-slowly`, body, MIME)
    expect(stored).toEqual([0, 1, 2, 3])
  })

  test('has larger parts if ten thousand of the usual size would not hold it', async () => {
    const sizes: number[] = []
    server.fault = ({ url, headers }) => {
      if (url?.includes('partNumber=') === true) sizes.push(Number(headers['content-length']))
      return undefined
    }
    const sizeBytes = 60 * 1024 ** 3
    const body = Readable.from(Array.from({ length: 3 }, () => randomBytes(PART)))
    await open().put(`${KEY}-large`, body, { ...MIME, expectedBytes: sizeBytes })
    expect(sizes[0]).toBeGreaterThan(sizeBytes / 10_000)
  })

  test('leaves no parts when the server refuses one', async () => {
    server.fault = ({ url }) =>
      url?.includes('partNumber=2') === true ? { status: 403, code: 'AccessDenied' } : undefined
    const body = Readable.from([randomBytes(PART), randomBytes(PART), randomBytes(PART)])
    expect(await failureOf(open().put(KEY, body, MIME))).toBeInstanceOf(StorageError)
    expect(body.destroyed).toBe(true)
    expect(server.uploads.size).toBe(0)
    expect(server.objects.has(KEY)).toBe(false)
  })
})

describe('the keys of an egress', () => {
  const OWN = { accessKeyId: 'AKIDTESTS', secretAccessKey: 'a-secret-that-only-tests-know' }

  test('are the service’s, if no others are set', async () => {
    const output = await open().egressOutput(KEY)
    expect(output).toEqual({
      kind: 's3',
      bucket: 'tests',
      key: KEY,
      region: 'eu-test-1',
      endpoint: server.config.endpoint,
      forcePathStyle: true,
      ...OWN,
      sessionToken: undefined,
    })
  })

  test('are those that were set for it, with its own address of the bucket', async () => {
    const keys = { accessKeyId: 'AKIDEGRESS', secretAccessKey: 'may-only-put' }
    const egress = { endpoint: 'https://s3.outside.test', keys }
    const output = await open({ egress }).egressOutput(KEY)
    expect(output).toMatchObject({ ...keys, endpoint: 'https://s3.outside.test' })
  })
})

test('programs on this machine read at the endpoint of the service, not at that of browsers', async () => {
  const place = await open({ publicEndpoint: 'https://files.test' }).locate(KEY, { forSec: 60 })
  expect(place).toMatchObject({ url: expect.stringContaining(`${server.config.endpoint}/`) })
})

test('objects of others in the bucket are not listed', async () => {
  server.objects.clear()
  const object = { body: Buffer.from('x'), type: '', etag: '"x"', storedAt: new Date() }
  for (const key of ['a/report.txt', KEY, 'zzz']) server.objects.set(key, object)
  const first = await open().list()
  const second = await open().list(first.next)
  expect([...first.objects, ...second.objects].map(({ key }) => key)).toEqual([KEY])
  expect(second.next).toBeUndefined()
})
