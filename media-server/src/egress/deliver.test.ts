import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from './deliver.ts'
import type { Output } from './job.ts'
import { clientFor, uploadToS3 } from './upload-to-s3.ts'

const UPLOAD = {
  accessKey: 'AKIA-public',
  secret: 'the-secret-itself',
  sessionToken: '',
  region: 'eu-west-1',
  bucket: 'b',
  forcePathStyle: true,
  contentDisposition: '',
  metadata: {},
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deliver-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function delivering(output: Output, signal = new AbortController().signal) {
  const file = path.join(folder, 'composed.mp4')
  await writeFile(file, 'a video')
  const job = { selection: { of: 'tracks', sids: [] }, plan: {} as never, output } as const
  return deliver(file, job, signal, [10])
}

describe('a finished file', () => {
  test('appears complete at the requested path, in folders that are created', async () => {
    const file = path.join(folder, 'a/b/c.mp4')
    expect(await delivering({ kind: 'file', file })).toEqual({
      filename: file,
      location: file,
      sizeBytes: 7,
    })
    expect(await readFile(file, 'utf8')).toBe('a video')
    expect(await readdir(path.dirname(file))).toEqual(['c.mp4'])
  })

  test('that cannot be written fails the upload', async () => {
    await writeFile(path.join(folder, 'taken'), 'no folder')
    const output = { kind: 'file', file: path.join(folder, 'taken/c.mp4') } as const
    await expect(delivering(output)).rejects.toThrow(/^Local upload failed: /)
  })

  test('is uploaded once the storage is back', async () => {
    // As often as the client retries automatically, and one more time.
    const storage = await startStorage((count) => (count <= 5 ? 503 : 200))
    const delivered = await delivering(storage.output, AbortSignal.timeout(60_000))
    expect(delivered).toMatchObject({ filename: 'k.mp4', sizeBytes: 7 })
    expect(storage.count()).toBe(6)
    await storage.close()
  })

  test('that the storage refuses fails the upload immediately', async () => {
    const storage = await startStorage(() => 403)
    await expect(delivering(storage.output)).rejects.toThrow(/^S3 upload failed: /)
    expect(storage.count()).toBe(1)
    await storage.close()
  })

  test('that the storage does not take in time fails the upload, and the error has no secrets', async () => {
    const storage = await startStorage(() => 200)
    await storage.close()
    const failure = await delivering(storage.output, AbortSignal.timeout(1_000)).catch(String)
    expect(failure).toMatch(/^Error: S3 upload failed: /)
    expect(failure).not.toMatch(/the-secret-itself|AKIA-public/)
  })
})

test('a file of any size fits into the 10,000 parts of S3', async () => {
  const file = path.join(folder, 'long.mp4')
  const sizeBytes = 100 * 1024 ** 3
  await writeFile(file, '')
  // Nothing of it is on the disk.
  await truncate(file, sizeBytes)
  const parts: number[] = []
  const server = createServer((request, response) => {
    if (request.method === 'POST') return response.end(UPLOAD_BEGUN)
    parts.push(Number(request.headers['content-length']))
    return request.resume().on('end', () => response.writeHead(403).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = { key: 'k', upload: { ...UPLOAD, endpoint } }
  await expect(uploadToS3(file, target, new AbortController().signal)).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  })
  expect(parts[0]).toBeGreaterThanOrEqual(sizeBytes / 10_000)
  server.closeAllConnections()
  server.close()
})

const UPLOAD_BEGUN =
  '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'

test('a bucket that takes a connection and says nothing is not waited for', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = clientFor({ ...UPLOAD, endpoint }, { attemptsMax: 1, silentMs: 200 })
  const put = client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: 'a video' }))
  await expect(put).rejects.toMatchObject({ name: 'TimeoutError' })
  client.destroy()
  server.closeAllConnections()
  server.close()
})

/** A bucket that answers with these statuses. */
async function startStorage(statusOf: (count: number) => number) {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    request.resume().on('end', () => response.writeHead(statusOf(count)).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const output: Output = { kind: 's3', key: 'k.mp4', upload: { ...UPLOAD, endpoint } }
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { output, count: () => count, close }
}
