import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { PageQuery } from '@interview-room/contract/envelope.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { inTransaction, openDb } from './platform/db/db.ts'
import { ServiceError } from './platform/lib/service-error.ts'
import { setFrameAncestors } from './platform/tenants/frame-ancestors.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { createTestDeps } from './testing/deps.ts'
import {
  type Answer,
  booking,
  createTenantClient,
  type TenantClient,
  toAnswer,
} from './testing/tenant-client.ts'

let database: TestDatabase
let app: FastifyInstance
let tenant: TenantClient
const logged: string[] = []

/** Routes that fail in the ways routes can. */
async function probes(app: FastifyInstance): Promise<void> {
  app.get(
    '/probe/page',
    { schema: { querystring: Type.Object(PageQuery) } },
    async ({ query }) => query,
  )
  app.get('/probe/defect', async () => {
    throw new Error('the inside')
  })
  app.get('/probe/refusal', async () => {
    throw new ServiceError('ROOM_CLOSED')
  })
  app.get('/probe/timeout', async () =>
    inTransaction(database.db, async (tx) => {
      await tx`set local statement_timeout = 20`
      await tx`select pg_sleep(5)`
    }),
  )
  app.get('/probe/killed', async () => database.db`select pg_terminate_backend(pg_backend_pid())`)
  app.get('/probe/text', async () => database.db`select ${'a\0b'}::text`)
  app.patch('/probe/body', async ({ body }) => ({ body }))
  app.post('/probe/body', async ({ body }) => ({ body: body ?? null }))
}

beforeAll(async () => {
  database = await createTestDatabase()
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const deps = createTestDeps({ db: database.db, log })
  app = await createApp(deps, { plugins: [probes] })
  tenant = await createTenantClient(app, database.db)
})

afterAll(async () => {
  await app?.close()
  await database?.drop()
})

async function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH', url: string, headers = {}) {
  return toAnswer(await app.inject({ method, url, headers }))
}

describe('the control plane', () => {
  test.each([
    ['no header', undefined],
    ['nothing in it', ''],
    ['another scheme', 'Bearer x'],
    ['no secret', 'ApiKey abc'],
    ['an unknown key', 'ApiKey abc.def'],
  ])('answers the same 401 to %s', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await ask('GET', '/api/v1/rooms/abc', headers)
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(answer.text).toBe((await ask('POST', '/api/v1/rooms')).text)
  })

  // contract: API key › Before the body is read
  test('answers 401 before it reads the body', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/rooms',
      headers: { 'content-type': 'text/plain' },
      payload: '{',
    })
    expect(answer.statusCode).toBe(401)
  })
})

describe('a second Authorization header', () => {
  test.each(['/api/v1/rooms/abc', `/api/v1/rooms/${randomUUID()}/live/stream`])(
    'is 400 on %s, whatever the first one is',
    async (url) => {
      const { promise, resolve } = Promise.withResolvers<string>()
      await app.listen({ host: '127.0.0.1', port: 0 }).catch(() => {})
      const { port } = app.server.address() as AddressInfo
      // Clients of HTTP join or drop a repeated header: this is what a socket can send.
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `GET ${url} HTTP/1.1\r\nHost: rooms.test\r\nAuthorization: ApiKey a.b\r\n` +
            'Authorization: Bearer x\r\nConnection: close\r\n\r\n',
        )
      })
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.once('close', () => resolve(text))
      const answer = await promise
      expect(answer).toContain('HTTP/1.1 400')
      expect(answer).toContain('"field":"Authorization","code":"DUPLICATE"')
    },
  )
})

test.each(['GET', 'HEAD'] as const)('%s / leads to the documentation', async (method) => {
  const { statusCode, headers, body } = await app.inject({ method, url: '/' })
  expect([statusCode, headers['location'], body]).toEqual([302, '/docs/', ''])
})

describe('every error leaves in the envelope', () => {
  // contract: Form of answers › Error envelope: `success`, `error` (`code`, `message`, `details`),
  //   for everything that leaves, also where no route is
  test.each([
    ['GET', '/nothing', 404, 'NOT_FOUND'],
    ['GET', '/api/v1/nothing?access_token=x', 404, 'NOT_FOUND'],
    ['GET', '/api/v1/rooms/%zz', 404, 'NOT_FOUND'],
    ['POST', '/', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/assets/nothing.js', 404, 'NOT_FOUND'],
    ['GET', '/assets/..%2f..%2fpackage.json', 404, 'NOT_FOUND'],
    ['PUT', '/api/v1/rooms', 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', '/health', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/probe/refusal', 409, 'ROOM_CLOSED'],
    ['GET', '/probe/text', 400, 'INVALID_REQUEST'],
    ['GET', '/probe/defect', 500, 'INTERNAL_ERROR'],
    ['GET', '/probe/timeout', 503, 'SERVICE_UNAVAILABLE'],
    ['GET', '/probe/killed', 503, 'SERVICE_UNAVAILABLE'],
  ] as const)('%s %s: %i %s', async (...[method, url, status, code]) => {
    const answer = await ask(method, url)
    expect(answer).toMatchObject({ status, code })
    expect(JSON.parse(answer.text)).toEqual({
      success: false,
      error: { code, message: expect.any(String) },
    })
    expect(answer.text).not.toContain('inside')
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    })
  })

  test('a slow database asks to come back', async () => {
    expect((await ask('GET', '/probe/timeout')).headers['retry-after']).toBe('2')
  })

  test('a wrong method names the right ones', async () => {
    expect((await ask('PUT', '/api/v1/rooms')).headers['allow']).toBe('GET, HEAD, POST')
    expect((await ask('DELETE', '/health')).headers['allow']).toBe('GET, HEAD')
  })

  // contract: Error codes › 503 SERVICE_UNAVAILABLE with `Retry-After`
  test('a database that is not there is 503 with Retry-After', async () => {
    const url = 'postgres://nobody@127.0.0.1:1/none'
    const db = openDb({ url, poolSize: 1, applicationName: 'tests' })
    const lost = await createApp(createTestDeps({ db }))
    const { authorization } = tenant
    const answer = toAnswer(
      await lost.inject({ url: `/api/v1/rooms/${tenant.tenantId}`, headers: { authorization } }),
    )
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(answer.headers['retry-after']).toBe('2')
    await lost.close()
    await db.end()
  })

  // contract: Form of answers › Broken HTTP is refused in the envelope, too
  test.each([
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', '400'],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    [
      'a second Host',
      'GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n',
      '400',
    ],
    [
      'an expectation that nobody can meet',
      'POST /api/v1/rooms HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n',
      '417',
    ],
    ['too much header', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
  ])('%s', async (_name, request, status) => {
    await app.listen({ host: '127.0.0.1', port: 0 }).catch(() => {})
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(request)
    const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString()
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(text).toMatch(/^content-type: application\/json; charset=utf-8\r$/im)
    expect(text).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im)
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      success: false,
      error: { code: 'INVALID_REQUEST' },
    })
  })
})

function post(
  contentType: string,
  payload: string | Buffer,
  method: 'POST' | 'PATCH' = 'POST',
): Promise<Answer> {
  const headers = { 'content-type': contentType }
  return tenant.send({ method, url: '/probe/body', payload, headers })
}

describe('a body', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'is taken as %s',
    async (type) => {
      expect((await post(type, '{"a":1}')).text).toBe('{"body":{"a":1}}')
    },
  )

  // contract: Bodies and queries › A merge patch is taken where something is patched, and only
  //   there
  test('is taken as a merge patch only by PATCH operations', async () => {
    const type = 'application/merge-patch+json'
    expect((await post(type, '{"a":null}', 'PATCH')).text).toBe('{"body":{"a":null}}')
    expect(await post(type, '{"a":null}')).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense'])(
    'of %s is 415',
    async (type) => {
      expect(await post(type, '{}')).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    },
  )

  test('that is empty is no body', async () => {
    expect((await post('application/json', '')).text).toBe('{"body":null}')
  })

  // contract: Bodies and queries › A body over 64 KiB: 413 FILE_TOO_LARGE
  // contract: Limits › Request bodies: 64 KiB of JSON; handouts are streamed; recordings go by
  //   signed PUT
  test('over 64 KiB is 413', async () => {
    const answer = await post('application/json', `"${'x'.repeat(64 * 1024)}"`)
    expect(answer).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' })
    expect((await post('application/json', `"${'x'.repeat(64 * 1024 - 2)}"`)).status).toBe(200)
  })

  // contract: Bodies and queries › A body that is not UTF-8: 400 INVALID_JSON
  test('that is not UTF-8 is 400 INVALID_JSON', async () => {
    const answer = await post('application/json', Buffer.from([0x22, 0xff, 0x22]))
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_JSON' })
  })
})

describe('a query', () => {
  // contract: Pagination › `limit` is 1 to 100 (`PAGE_LIMIT_MAX`), 20 by default
  //   (`PAGE_LIMIT_DEFAULT`)
  test.each([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
  ])('%j reads as limit %i', async (query, limit) => {
    expect(JSON.parse((await ask('GET', `/probe/page${query}`)).text)).toEqual({ limit })
  })

  // contract: Pagination › `limit` outside of that, or not in plain digits: 400 INVALID_REQUEST
  // contract: Limits › `limit`: 1 to 100, default 20
  test.each([
    '0',
    '101',
    '1000',
    '-1',
    '0x10',
    '%205',
    '1e1',
    '',
    '1.5',
    'abc',
    '5&limit=6',
    '%00',
  ])('limit=%s is 400 INVALID_REQUEST', async (limit) => {
    const answer = await ask('GET', `/probe/page?limit=${limit}`)
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })

  // contract: Bodies and queries › Queries: NUL is refused before it reaches the database
  test('with NUL is refused before it reaches the database', async () => {
    const answer = await ask('GET', '/probe/page?cursor=a%00b')
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })
})

describe('X-Request-Id', () => {
  // contract: Form of answers › `X-Request-Id` comes back as it was given, or is made
  test('comes back as it was given', async () => {
    const answer = await ask('GET', '/health', { 'x-request-id': 'my-id_1!' })
    expect(answer.headers['x-request-id']).toBe('my-id_1!')
  })

  test('comes back with the refusal of an expectation', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 }).catch(() => {})
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /api/v1/rooms HTTP/1.1\r\nHost: x\r\nX-Request-Id: my-id_1!\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n',
    )
    const text = Buffer.concat((await socket.toArray()) as Buffer[]).toString()
    expect(text).toMatch(/^HTTP\/1.1 417 /)
    expect(text).toMatch(/^x-request-id: my-id_1!\r$/im)
  })

  // contract: Form of answers › `X-Request-Id` that is too long or unreadable is replaced
  test.each(['', 'x'.repeat(65), 'a b', 'é'])('is replaced where it is %j', async (given) => {
    const answer = await ask('GET', '/health', { 'x-request-id': given })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

const policyOf = async (roomId: string) =>
  String((await app.inject(`/r/${roomId}`)).headers['content-security-policy'])

describe('the room page', () => {
  test('may be framed by the pages that its tenant has named, and by no others', async () => {
    const { id: roomId } = (await tenant.post('/rooms', booking())).data
    const { tenantId } = tenant
    expect(await policyOf(roomId)).toContain("frame-ancestors 'none'")
    const origins = ['https://app.example.com']
    await setFrameAncestors(database, { tenantId, origins })
    expect(await policyOf(roomId)).toContain('frame-ancestors https://app.example.com;')
    expect(await policyOf('nonsense')).toContain("frame-ancestors 'none'")
  })

  test('comes under the policies of pages', async () => {
    const { headers } = await app.inject('/r/018f0000-0000-7000-8000-000000000000')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
        "img-src 'self' blob: data: https://storage.test; " +
        "media-src 'self' blob: https://storage.test; " +
        "connect-src 'self' wss://media.test https://media.test https://storage.test; " +
        "worker-src 'self' blob:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types default",
    )
    expect(headers['permissions-policy']).toMatch(
      /^camera=\(self\), microphone=\(self\), display-capture=\(self\), .*geolocation=\(\)/,
    )
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })
})

describe('the log', () => {
  test('has one line per request, with the template instead of the address', async () => {
    const id = 'log-test-1'
    const url = `/api/v1/rooms/${tenant.tenantId}?token=geheim`
    await tenant.send({ method: 'GET', url, headers: { 'x-request-id': id } })
    const lines = logged.map((line) => JSON.parse(line)).filter((line) => line.requestId === id)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      method: 'GET',
      route: '/api/v1/rooms/:room_id',
      status: 400,
      ms: expect.any(Number),
      tenant: tenant.tenantId,
      code: 'INVALID_REQUEST',
    })
  })

  // contract: Form of answers › `traceparent` of the caller stands in the log line
  test.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
    ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
    ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', false],
    ['geheim', false],
  ])('names the trace of the caller (%s: %s)', async (traceparent, isTrace) => {
    const id = `trace-${Math.random()}`
    await ask('GET', '/health', { 'x-request-id': id, traceparent })
    const line = logged.map((each) => JSON.parse(each)).find((each) => each.requestId === id)
    expect(line.traceparent).toBe(isTrace ? traceparent : undefined)
  })

  // contract: API key › The key is never logged
  test('holds no token, no address, no body', async () => {
    const body = booking()
    const secret = 'canary-5f1c'
    await tenant.post('/rooms', { ...body, session: { ...body.session, name: secret } })
    await tenant.post('/rooms', `{"${secret}":`)
    await ask('GET', `/nothing/${secret}?token=${secret}`)
    await ask('GET', `/api/v1/rooms/%zz${secret}`)
    await ask('GET', '/api/v1/rooms/x', { authorization: `ApiKey ${secret}.${secret}` })
    const all = logged.join('')
    expect(all).not.toContain(secret)
    expect(all).not.toContain(tenant.authorization.slice('ApiKey '.length))
  })

  test('has a defect once, with its stack', async () => {
    const id = 'defect-test-1'
    await ask('GET', '/probe/defect', { 'x-request-id': id })
    const lines = logged.map((line) => JSON.parse(line)).filter((line) => line.requestId === id)
    const defects = lines.filter((line) => line.err !== undefined)
    expect(defects).toHaveLength(1)
    expect(defects[0].err.stack).toContain('the inside')
  })
})

test('an https address is remembered by browsers', async () => {
  expect((await ask('GET', '/health')).headers['strict-transport-security']).toBe(
    'max-age=31536000',
  )
})
