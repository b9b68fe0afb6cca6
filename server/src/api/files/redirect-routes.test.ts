import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { openDb } from '../../platform/db/db.ts'
import type { Storage } from '../../platform/ports/storage.ts'
import { createFileAddresses } from '../../platform/storage/file-addresses.ts'
import { withLongAddresses } from '../../platform/storage/s3/long-addresses.ts'
import { createS3Storage } from '../../platform/storage/s3/s3-storage.ts'
import { startTestS3, type TestS3 } from '../../platform/storage/testing/s3-server.ts'
import { createTestDeps } from '../../testing/deps.ts'
import { redirectRoutes } from './redirect-routes.ts'

const PUBLIC_URL = 'https://rooms.test'
const DAY_SEC = 24 * 60 * 60
const SHOWN = { fileName: '新しいラベル.png', disposition: 'inline', mime: 'image/png' } as const

let now = new Date()
const clock = () => now
let server: TestS3
let storage: Storage
let app: FastifyInstance
const db = openDb({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, applicationName: 't' })

beforeAll(async () => {
  server = await startTestS3()
  const addresses = createFileAddresses({
    publicUrl: PUBLIC_URL,
    secretsKey: Buffer.alloc(32, 1),
    clock,
  })
  storage = withLongAddresses(createS3Storage(server.config, clock), addresses)
  const plugins = [redirectRoutes(storage, addresses)]
  app = await createApp(createTestDeps({ db, storage }), { plugins })
})
afterAll(async () => {
  await app?.close()
  await server?.close()
  await db.end()
})

async function stored(content: string): Promise<string> {
  const key = `${randomUUID()}/handouts/${randomUUID()}`
  await storage.put(key, Readable.from([content]), { mime: SHOWN.mime })
  return key
}

const signed = async (key: string, days: number) =>
  storage.signGet(key, { ...SHOWN, expiresInSec: days * DAY_SEC })
const ask = (url: string) => app.inject(url.replace(PUBLIC_URL, ''))

describe('an address that is to hold longer than S3 can sign for', () => {
  test('leads to the object all that time, under the name and type that were signed', async () => {
    now = new Date()
    const start = now.getTime()
    const { url, expiresAt } = await signed(await stored('the label'), 30)
    expect(url.startsWith(`${PUBLIC_URL}/files/`)).toBe(true)
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(start + 30 * DAY_SEC * 1000 - 1000)

    for (const days of [0, 8, 29.9]) {
      now = new Date(start + days * DAY_SEC * 1000)
      const answer = await ask(url)
      expect([days, answer.statusCode]).toEqual([days, 302])
      const location = String(answer.headers.location)
      expect(location.startsWith(PUBLIC_URL)).toBe(false)
      const query = new URL(location).searchParams
      expect(query.get('response-content-type')).toBe('image/png')
      expect(query.get('response-content-disposition')).toContain('inline')
    }
    now = new Date(start)
    const { headers } = await ask(url)
    expect(await (await fetch(String(headers.location))).text()).toBe('the label')
  })

  test('leads nowhere once it has expired, or when it was altered', async () => {
    now = new Date()
    const start = now.getTime()
    const { url } = await signed(await stored('x'), 30)
    now = new Date(start + 30 * DAY_SEC * 1000 + 1000)
    expect((await ask(url)).statusCode).toBe(404)
    now = new Date(start)
    expect((await ask(url.replace('inline', 'attachment'))).statusCode).toBe(404)
    expect((await ask(url.replace(/signature=.{4}/, 'signature=AAAA'))).statusCode).toBe(404)
    const [foreign] = url.split('?')
    expect((await ask(foreign ?? '')).statusCode).toBe(404)
  })

  test('is the storage’s own if that holds long enough', async () => {
    now = new Date()
    const { url } = await signed(await stored('x'), 7)
    expect(url.startsWith(PUBLIC_URL)).toBe(false)
    expect(await (await fetch(url)).text()).toBe('x')
  })
})
