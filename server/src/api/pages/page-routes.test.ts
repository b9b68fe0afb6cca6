import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendError } from '../http/errors.ts'
import { serveAssets } from './page-routes.ts'

const SCRIPT = 'console.log("room");'.repeat(100)
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }

const OF_ANOTHER_RELEASE = new Map([['room-9z8y.js', Buffer.from('of another release')]])

let root: string
let app: FastifyInstance

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'assets-'))
  writeFileSync(path.join(root, 'room-1a2b.js'), SCRIPT)
  writeFileSync(path.join(root, 'room-1a2b.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(path.join(root, 'room-1a2b.js.gz'), gzipSync(SCRIPT))
  writeFileSync(path.join(root, 'plain-1a2b.js'), SCRIPT)
  app = fastify()
  app.setErrorHandler(sendError)
  await serveAssets(app, { root, findKept: async (name) => OF_ANOTHER_RELEASE.get(name) })
})

afterAll(async () => {
  await app.close()
  rmSync(root, { recursive: true })
})

const get = (file: string, encodings?: string) =>
  app.inject({
    url: `/assets/${file}`,
    headers: encodings === undefined ? {} : { 'accept-encoding': encodings },
  })

describe('a script of the pages', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
  ] as const)('comes to a browser that takes %s as %s', async (accepted, encoding) => {
    const { headers, rawPayload } = await get('room-1a2b.js', accepted)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-type']).toMatch(/^(?:text|application)\/javascript/)
    expect(DECODE[encoding](rawPayload).toString()).toBe(SCRIPT)
  })

  test.each([undefined, 'identity', 'deflate'])(
    'comes plain to one that takes %s',
    async (given) => {
      const { headers, payload } = await get('room-1a2b.js', given)
      expect(headers['content-encoding']).toBeUndefined()
      expect(payload).toBe(SCRIPT)
    },
  )

  test('is sent uncompressed if there is no compressed copy', async () => {
    const { headers, payload } = await get('plain-1a2b.js', 'br, gzip')
    expect(headers['content-encoding']).toBeUndefined()
    expect(payload).toBe(SCRIPT)
  })

  test('of another release comes as that release kept it', async () => {
    const { statusCode, headers, payload } = await get('room-9z8y.js', 'br')
    expect([statusCode, payload]).toEqual([200, 'of another release'])
    expect(headers['content-type']).toMatch(/^text\/javascript/)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test.each(['room-none.js', 'pdfjs-1/x.js', '..%2froom-9z8y.js', '%'])(
    'that no release has is not found: %s',
    async (name) => {
      const { statusCode, headers } = await get(name)
      expect([400, 404]).toContain(statusCode)
      expect(headers['cache-control']).toBeUndefined()
    },
  )

  test('is cached permanently, separately for each encoding', async () => {
    for (const encodings of ['br', 'identity']) {
      const { headers } = await get('room-1a2b.js', encodings)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers.vary?.toLowerCase()).toContain('accept-encoding')
    }
  })
})
