import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './local/lib/ports.ts'
import { loadConfig } from './platform/config/config.ts'
import { createTenant } from './platform/tenants/create-tenant.ts'
import { issueApiKey } from './platform/tenants/issue-api-key.ts'
import { type Service, startService } from './service.ts'
import {
  attributesOf,
  type SentSpan,
  startCollector,
  type TestCollector,
} from './testing/collector.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { TEST_ENVIRONMENT } from './testing/deps.ts'
import { booking } from './testing/tenant-client.ts'
import { waitFor } from './testing/wait-for.ts'

const HOST = '127.0.0.1'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`
const NAME = 'Canary Schmidt'
const ERROR = 2

let dataDir: string
let database: TestDatabase
let collector: TestCollector
let receiver: http.Server
let service: Service
let origin: string
const received: http.IncomingHttpHeaders[] = []

interface TestTenant {
  id: string
  apiKey: string
}

let sandbox: TestTenant
let tenant: TestTenant

async function newTenant(isSandbox: boolean): Promise<TestTenant> {
  const { db } = database
  const { id } = await createTenant(db, { name: 'Test tenant', isSandbox })
  const { apiKey } = await issueApiKey(db, {
    tenantId: id,
    note: 'test',
    scopes: ['control', 'manage'],
  })
  return { id, apiKey }
}

interface Post {
  at: string
  body: object
  headers?: Record<string, string>
}

async function post({ apiKey }: TestTenant, { at, body, headers = {} }: Post) {
  const answer = await fetch(`${origin}/api/v1${at}`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- a body of the API
  return { status: answer.status, data: ((await answer.json()) as any).data }
}

async function listen(server: http.Server): Promise<string> {
  server.listen(0, HOST)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? `http://${HOST}:${address?.port}` : ''
}

async function spanOf(name: string, traceId?: string): Promise<SentSpan> {
  const isIt = (span: SentSpan) =>
    span.name === name && (traceId === undefined || span.traceId === traceId)
  await waitFor(() => collector.spans.some(isIt))
  return collector.spans.find(isIt) as SentSpan
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tracing-'))
  database = await createTestDatabase()
  collector = await startCollector()
  receiver = http.createServer((request, response) => {
    received.push(request.headers)
    request.resume()
    response.writeHead(204).end()
  })
  const port = await freePort(HOST)
  origin = `http://${HOST}:${port}`
  service = await startService(
    loadConfig({
      ...TEST_ENVIRONMENT,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20b3BlcmF0b3I6cGFzcw==, x-scope=interviews',
      OTEL_SERVICE_NAME: 'interviews',
    }),
  )
  sandbox = await newTenant(true)
  tenant = await newTenant(false)
  await post(sandbox, {
    at: '/webhook-endpoints',
    body: { url: `${await listen(receiver)}/hooks?key=canary` },
  })
})

afterAll(async () => {
  await service?.close()
  receiver?.close().closeAllConnections()
  await collector?.close()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('a trace', () => {
  test('leads from the request of the caller over the job to the webhook attempt', async () => {
    const headers = { traceparent: TRACEPARENT }
    const body = booking()
    const booked = await post(sandbox, {
      at: '/rooms',
      body: { ...body, session: { ...body.session, name: NAME } },
      headers,
    })
    expect(booked.status).toBe(201)
    const person = { role: 'panelist', name: NAME }
    const roomId = booked.data.id
    const entered = await post(sandbox, {
      at: `/sandbox/rooms/${roomId}/people`,
      body: person,
      headers,
    })
    expect(entered.status).toBe(201)

    const attempt = await spanOf('webhook participant.entered')
    const job = await spanOf('job apply-notifications', TRACE)
    const entry = await spanOf('POST /api/v1/sandbox/rooms/:room_id/people')
    const request = await spanOf('POST /api/v1/rooms', TRACE)
    const parents = [request, entry, job].map(({ parentSpanId }) => parentSpanId)
    expect(parents).toEqual([CALLER, CALLER, entry.spanId])
    // The request itself opens the entry, unless the job of the provider's notification was faster.
    expect([entry.spanId, job.spanId]).toContain(attempt.parentSpanId)
    expect(attempt.traceId).toBe(TRACE)

    expect([request, job, attempt].map(({ kind }) => kind)).toEqual([2, 5, 3])
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/rooms',
      'http.response.status_code': '201',
      'interview_room.tenant.id': sandbox.id,
    })
    expect(attributesOf(job)).toEqual({
      'interview_room.job.kind': 'apply-notifications',
      'interview_room.job.attempt': '1',
      'interview_room.job.outcome': 'done',
    })
    expect(attributesOf(attempt)).toMatchObject({
      'interview_room.webhook.type': 'participant.entered',
      'interview_room.webhook.attempt': '1',
      'http.response.status_code': '204',
    })
    expect(BigInt(request.endTimeUnixNano) > BigInt(request.startTimeUnixNano)).toBe(true)

    // Whatever was sent so far: ids of rooms and people are parts of addresses.
    const all = collector.bodies.join('')
    const secrets = [sandbox.apiKey, sandbox.apiKey.split('.')[1] ?? '', roomId, NAME, 'canary']
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
    expect(all).toContain(sandbox.id)
    // Our own trace stays internal: a receiver sees only the trace of its own caller.
    expect(received.length).toBeGreaterThan(0)
    const passedOn = received.flatMap(({ traceparent }) => traceparent ?? [])
    expect(passedOn.filter((each) => each !== TRACEPARENT)).toEqual([])
  })

  test('goes to the collector under the name and with the headers of the settings', async () => {
    await waitFor(() => collector.requests.length > 0)
    const [first] = collector.requests
    expect(first).toMatchObject({
      path: '/v1/traces',
      headers: {
        authorization: 'Basic b3BlcmF0b3I6cGFzcw==',
        'x-scope': 'interviews',
        'content-type': 'application/json',
      },
    })
    const { resource } = JSON.parse(collector.bodies[0] ?? '').resourceSpans[0]
    expect(attributesOf(resource)).toMatchObject({
      'service.name': 'interviews',
      'interview_room.role': 'all',
    })
  })

  test('is one of its own for the request of another tenant, with the failed call of the provider', async () => {
    // The second half of the body comes when the request is under way.
    const body = JSON.stringify(booking())
    const request = http.request(`${origin}/api/v1/rooms`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${tenant.apiKey}`, 'content-type': 'application/json' },
    })
    await new Promise<void>((resolve) => {
      request.write(body.slice(0, 10), () => resolve())
    })
    request.end(body.slice(10))
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(502)

    const call = await spanOf('media ensureRoom')
    const span = await spanOf('POST /api/v1/rooms', call.traceId)
    expect(span).toMatchObject({ spanId: call.parentSpanId, status: { code: ERROR } })
    expect(span).not.toHaveProperty('parentSpanId')
    expect(span.traceId).not.toBe(TRACE)
    expect(attributesOf(span)).toMatchObject({
      'http.response.status_code': '502',
      'interview_room.tenant.id': tenant.id,
      'interview_room.error.code': 'RTC_PROVISION_FAILED',
      'error.type': 'RTC_PROVISION_FAILED',
    })
    expect(call.status.code).toBe(ERROR)
    expect(attributesOf(call)).toEqual({ 'error.type': 'MediaError' })
  })

  test('has no span of a stream, and one of an unknown address without the address', async () => {
    const stream = await fetch(`${origin}/api/v1/rooms/${tenant.id}/live/stream`)
    expect(stream.status).toBe(401)
    await fetch(`${origin}/nothing/canary`)
    const unknown = await spanOf('GET')
    expect(attributesOf(unknown)).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': '404',
      'interview_room.error.code': 'NOT_FOUND',
    })
    expect(collector.spans.filter(({ name }) => name.endsWith('/stream'))).toEqual([])
    expect(collector.bodies.join('')).not.toContain('canary')
  })
})

async function readEndpoints(): Promise<number> {
  const headers = { authorization: `ApiKey ${tenant.apiKey}` }
  return (await fetch(`${origin}/api/v1/webhook-endpoints`, { headers })).status
}

test('a collector that hangs delays neither requests nor the shutdown', async () => {
  collector.status = undefined
  const before = collector.requests.length
  expect(await readEndpoints()).toBe(200)
  await waitFor(() => collector.requests.length > before)
  const start = performance.now()
  expect(await readEndpoints()).toBe(200)
  // An export waits for five seconds.
  expect(performance.now() - start).toBeLessThan(2_000)
  const stop = performance.now()
  await service.close()
  expect(performance.now() - stop).toBeLessThan(4_500)
})
