import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { systemClock } from '../../platform/lib/clock.ts'
import { type Storage, StorageError } from '../../platform/ports/storage.ts'
import { createS3Storage } from '../../platform/storage/s3/s3-storage.ts'
import { withoutSilence } from '../../platform/storage/without-silence.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, multipartOf, SAMPLES } from '../../testing/multipart.ts'

const plane = useControlPlane()

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A storage server with this behaviour. */
async function withStorage<T>(answer: Answer, use: (storage: Storage) => Promise<T>): Promise<T> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const config = {
    endpoint: `http://127.0.0.1:${port}`,
    publicEndpoint: undefined,
    region: 'us-east-1',
    bucket: 'files',
    accessKeyId: 'AKIDTESTS',
    secretAccessKey: 'a-secret-that-only-tests-know',
    forcePathStyle: true,
    egress: { endpoint: undefined, keys: undefined },
  }
  try {
    return await use(createS3Storage(config, systemClock))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Uploads the file to a service with this storage, and returns its answer. */
async function upload(answer: Answer, content: Buffer, name = 'plan.png') {
  return withStorage(answer, async (storage) => {
    const app = await createApp({ ...plane.deps, storage })
    try {
      const { session } = await plane.book()
      const form = multipartOf([
        ['file', file(name, content)],
        ['content_type', name.endsWith('.png') ? 'image' : 'video'],
      ])
      const fromMs = performance.now()
      const response = await app.inject({
        method: 'POST',
        url: `/api/v1/sessions/${session.id}/handouts`,
        headers: { authorization: plane.tenant.authorization, 'content-type': form.contentType },
        payload: form.payload,
      })
      const tookMs = performance.now() - fromMs
      return { status: response.statusCode, code: response.json().error?.code, tookMs }
    } finally {
      await app.close()
    }
  })
}

const isWrite = ({ method }: IncomingMessage) => method === 'PUT' || method === 'POST'
const ETAG = { etag: '"x"' }

const SILENCES: readonly [string, Answer][] = [
  ['that accepts connections and never answers', () => {}],
  [
    'that answers reads but no write',
    (request, response) => {
      if (!isWrite(request)) response.end()
    },
  ],
  [
    'that accepts the whole body and never answers',
    (request, response) => {
      request.resume()
      if (!isWrite(request)) response.end()
    },
  ],
  [
    'that sends the header of its answer and hangs',
    (request, response) => {
      request.resume()
      if (!isWrite(request)) response.end()
      else response.writeHead(200, { ...ETAG, 'content-length': 100 }).flushHeaders()
    },
  ],
]

/** A file with the first bytes of a video. */
const VIDEO = Buffer.concat([SAMPLES.mp4, randomBytes(7 * 1024 * 1024)])

/**
 * Six seconds, plus a margin for a busy machine. Without the limit an upload took half a minute and a copy five minutes.
 */
const BOUND_MS = 15_000

// Concurrent, because these tests mostly wait.
describe.concurrent('an upload to a storage', () => {
  test.each(SILENCES)('%s is answered 503 in the envelope, within seconds', async (_, answer) => {
    const { status, code, tookMs } = await upload(answer, SAMPLES.png)
    expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(tookMs).toBeLessThan(BOUND_MS)
  })

  test('that never answers is answered 503 regardless of the size', async () => {
    const { status, tookMs } = await upload(() => {}, VIDEO, 'film.mp4')
    expect(status).toBe(503)
    expect(tookMs).toBeLessThan(BOUND_MS)
  })

  test('that is slow but steady is not cut off', async () => {
    const content = Buffer.concat([SAMPLES.mp4, randomBytes(1024 * 1024)])
    let takenBytes = 0
    let tookMs = 0
    const slowly: Answer = (request, response) => {
      if (!isWrite(request)) {
        response.end(request.method === 'GET' ? content : undefined)
        return
      }
      void (async () => {
        const fromMs = performance.now()
        for await (const piece of request as AsyncIterable<Buffer>) {
          takenBytes += piece.length
          // 128 KiB per second.
          await delay(piece.length / 131)
        }
        tookMs = performance.now() - fromMs
        response.writeHead(200, ETAG).end()
      })()
    }
    const { status } = await upload(slowly, content, 'film.mp4')
    expect(status).toBe(201)
    expect(takenBytes).toBe(content.length)
    expect(tookMs).toBeGreaterThan(6_000)
  })
})

const KEY = `${randomUUID()}/handouts/${randomUUID()}`
const hangsInBody: Answer = (request, response) => {
  request.resume()
  response.writeHead(200, { ...ETAG, 'content-length': 100 }).flushHeaders()
  if (request.method === 'GET') response.write('x')
}

/** Every other call to a storage that a client waits for. */
const CALLS: readonly [string, Answer, (storage: Storage) => Promise<unknown>][] = [
  ['head', () => {}, (storage) => storage.head(KEY)],
  ['delete', () => {}, (storage) => storage.delete([KEY])],
  ['delete, hanging in its answer', hangsInBody, (storage) => storage.delete([KEY])],
  ['copy', () => {}, (storage) => storage.copy(KEY, KEY, { etag: '"x"', sizeBytes: 20_000_000 })],
  [
    'copy, hanging within its answer',
    hangsInBody,
    (storage) => storage.copy(KEY, KEY, { etag: '"x"', sizeBytes: 1 }),
  ],
  ['read', () => {}, (storage) => storage.read(KEY, { isAwaited: true })],
  [
    'read, hanging within its answer',
    hangsInBody,
    async (storage) => buffer(await storage.read(KEY, { isAwaited: true })),
  ],
  ['check', () => {}, (storage) => storage.check()],
]

describe.concurrent('a storage that hangs', () => {
  test.each(CALLS)('fails within seconds: %s', async (_, answer, call) => {
    const fromMs = performance.now()
    await expect(withStorage(answer, call)).rejects.toThrow(StorageError)
    expect(performance.now() - fromMs).toBeLessThan(BOUND_MS)
  })
})

test('a slow reader is not cut off', async () => {
  const pieces = Array.from({ length: 3 }, () => Buffer.alloc(1024))
  const body = withoutSilence(Readable.from(pieces), 20)
  let sizeBytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    sizeBytes += piece.length
    await delay(60)
  }
  expect(sizeBytes).toBe(3 * 1024)
})
