import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, createClient, eachOf } from './client.ts'
import { ApiError, ConnectionError } from './errors.ts'

const ROOM = '019a2f6e-0d31-7c51-8f02-77c1d9b4e210'
const SESSION_ID = '019a2f6e-0d31-7c51-8f02-77c1d9b4e211'
const SESSION = {
  external_type: 'Slot',
  external_id: 'é 1',
  starts_at: '2030-11-21T01:00:00Z',
  ends_at: '2030-11-21T02:00:00Z',
}
const NEW_ROOM = { kind: 'interview', session: SESSION } as const

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** The answers of the fake service, one per request, in this order. */
let answers: ((response: ServerResponse) => void)[]
let seen: Seen[]
let server: Server
let baseUrl: string
let client: Client

beforeEach(async () => {
  answers = []
  seen = []
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request
      seen.push({ method, url, headers, body })
      answers.shift()?.(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = createClient({ baseUrl, authorization: 'ApiKey a.b' })
})

afterEach(() => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
})

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => {
    const type = { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body))
  }
}
const data = (value: unknown, status = 200) => json(status, { success: true, data: value })
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { success: false, error: { code, message: 'No.' } }, headers)
const cutOff = (response: ServerResponse) => response.destroy()

describe('a call', () => {
  test('is sent to the declared address, and returns the data of the envelope', async () => {
    answers.push(data({ items: [], next_cursor: null, has_more: false }))
    const query = { external_type: 'Slot', external_id: 'é 1', limit: 5 }
    expect(await client.listSessions({ query })).toEqual({
      items: [],
      next_cursor: null,
      has_more: false,
    })
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/sessions?external_type=Slot&external_id=%C3%A9+1&limit=5',
      headers: { authorization: 'ApiKey a.b' },
    })
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined()
  })

  test('is sent with the given API key', async () => {
    answers.push(data({}))
    await createClient({ baseUrl, apiKey: 'k.s' }).getRoom({ params: { room_id: ROOM } })
    expect(seen[0]?.headers.authorization).toBe('ApiKey k.s')
  })

  test('fills in the ids of its address, and sends its body as JSON', async () => {
    answers.push(data({ status: 'closed' }))
    await client.closeRoom({ params: { room_id: 'a/b' }, body: { reason: 'over' } })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/rooms/a%2Fb/close',
      headers: { 'content-type': 'application/json' },
      body: '{"reason":"over"}',
    })
  })

  test('sends no body if none is given, and returns null for a 204', async () => {
    answers.push((response) => response.writeHead(204).end())
    expect(await client.cancelSession({ params: { session_id: ROOM } })).toBeNull()
    expect(seen[0]?.headers['content-type']).toBeUndefined()
    expect(seen[0]?.body).toBe('')
  })

  test('returns the whole answer of an operation without an envelope, including a declared failure', async () => {
    answers.push(json(503, { status: 'fail' }))
    expect(await client.getReadiness()).toEqual({ status: 'fail' })
  })

  test('throws the error of the service when it is refused', async () => {
    const details = [{ field: 'reason', code: 'REQUIRED', message: 'is required' }]
    const error = { code: 'INVALID_REQUEST', message: 'Wrong.', details }
    answers.push(json(400, { success: false, error }, { 'x-request-id': 'r-1' }))
    const thrown = await client
      .getRoom({ params: { room_id: ROOM } })
      .catch((cause: unknown) => cause)
    expect(thrown).toBeInstanceOf(ApiError)
    expect(thrown).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      details,
      requestId: 'r-1',
      message: '400 INVALID_REQUEST: Wrong. (reason is required)',
    })
  })

  test.each([{}, { id: ROOM }, { room_id: '' }])(
    'without an id of its address (%o) is not sent, and says which',
    async (params) => {
      const call = client.getRoom({ params: params as never })
      await expect(call).rejects.toThrow(new TypeError('getRoom needs params.room_id'))
      expect(seen).toEqual([])
    },
  )

  test('throws ConnectionError when another server answers', async () => {
    answers.push((response) => response.writeHead(502).end('<html>'))
    await expect(client.closeRoom({ params: { room_id: ROOM } })).rejects.toThrow(ConnectionError)
  })

  test.each([{ error: 'Bad Gateway' }, { error: { code: 502 } }, ['of a proxy'], null])(
    'that a proxy answers with %j throws ConnectionError',
    async (body) => {
      answers.push(json(502, body))
      const call = client.closeRoom({ params: { room_id: ROOM } })
      await expect(call).rejects.toThrow(ConnectionError)
    },
  )

  test.each(['<html>Log in to the network</html>', '{"ok":true}', 'null'])(
    'that something else answers with 200 and %s throws ConnectionError',
    async (body) => {
      const other = (response: ServerResponse) => response.writeHead(200).end(body)
      answers.push(other, other, other, other)
      await expect(client.getRoom({ params: { room_id: ROOM } })).rejects.toThrow(ConnectionError)
      answers.push(other)
      await expect(client.closeRoom({ params: { room_id: ROOM } })).rejects.toThrow(ConnectionError)
    },
  )

  test('has no seconds if Retry-After is a date', async () => {
    const date = { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }
    answers.push(refusal(503, 'SERVICE_UNAVAILABLE', date))
    const call = client.closeRoom({ params: { room_id: ROOM } })
    await expect(call).rejects.toMatchObject({ status: 503, retryAfterSec: undefined })
  })

  test('throws ConnectionError when the answer takes too long', async () => {
    const hasty = createClient({ baseUrl, timeoutMs: 50 })
    answers.push(() => {})
    await expect(hasty.closeRoom({ params: { room_id: ROOM } })).rejects.toThrow(ConnectionError)
  })

  test('waits as long as the service may work on it, and longer with a file', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const signals: AbortSignal[] = []
    const waiting = createClient({
      baseUrl,
      fetch: async (_url, init) => {
        if (init?.signal) signals.push(init.signal)
        return new Promise<never>(() => {})
      },
    })
    void waiting.testWebhookEndpoint({ params: { webhook_endpoint_id: ROOM } })
    const form = new FormData()
    void waiting.registerHandout({ params: { session_id: SESSION_ID }, form })
    const areOver = () => signals.map(({ aborted }) => aborted)
    // The service answers after 20 s that nothing was sent.
    await vi.advanceTimersByTimeAsync(22_000)
    expect(areOver()).toEqual([false, false])
    // 300 MB at 1.5 Mbps.
    await vi.advanceTimersByTimeAsync(28 * 60_000)
    expect(areOver()).toEqual([true, false])
  })

  test('ends with its signal', async () => {
    const aborter = new AbortController()
    answers.push(() => aborter.abort(new Error('not wanted any more')))
    const call = client.createRoom({ body: NEW_ROOM, signal: aborter.signal })
    await expect(call).rejects.toThrow('not wanted any more')
    expect(seen).toHaveLength(1)
  })

  test('leaves no listener on a signal that outlives it, even after retries', async () => {
    const { signal } = new AbortController()
    answers.push(cutOff, cutOff, data({ id: ROOM }))
    expect(await client.getRoom({ params: { room_id: ROOM }, signal })).toEqual({ id: ROOM })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

const keys = () => seen.map(({ headers }) => headers['idempotency-key'])

describe('an operation that takes an Idempotency-Key', () => {
  test('is sent again under the same key when the connection fails', async () => {
    answers.push(cutOff, cutOff, data({ id: ROOM }, 201))
    expect(await client.createRoom({ body: NEW_ROOM })).toEqual({ id: ROOM })
    expect(keys()).toHaveLength(3)
    expect(new Set(keys()).size).toBe(1)
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('is sent again after a %i of the service', async (status, code) => {
    answers.push(refusal(status, code, { 'retry-after': '0' }), data({ id: ROOM }, 201))
    expect(await client.createRoom({ body: NEW_ROOM })).toEqual({ id: ROOM })
    expect(new Set(keys()).size).toBe(1)
  })

  test('has a new key for each call, or the given one', async () => {
    answers.push(data({}, 201), data({}, 201), data({}, 201))
    await client.createRoom({ body: NEW_ROOM })
    await client.createRoom({ body: NEW_ROOM })
    await client.createRoom({ body: NEW_ROOM, idempotencyKey: 'mine' })
    expect(new Set(keys()).size).toBe(3)
    expect(keys()[2]).toBe('mine')
  })

  test('has its own key if undefined is given, as JavaScript may do', async () => {
    answers.push(data({}, 201))
    const given = { body: NEW_ROOM, idempotencyKey: undefined }
    await client.createRoom(given as unknown as { body: typeof NEW_ROOM })
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('is given up after four attempts, and immediately for any other refusal', async () => {
    answers.push(cutOff, cutOff, cutOff, cutOff, data({}, 201))
    await expect(client.createRoom({ body: NEW_ROOM })).rejects.toThrow(ConnectionError)
    expect(seen).toHaveLength(4)
    answers = [refusal(409, 'DUPLICATE_EXTERNAL_REF')]
    await expect(client.createRoom({ body: NEW_ROOM })).rejects.toMatchObject({ status: 409 })
    expect(seen).toHaveLength(5)
  })

  test('is sent again while its first request runs, and if nothing was booked', async () => {
    answers.push(refusal(409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': '0' }))
    answers.push(refusal(502, 'RTC_PROVISION_FAILED'), data({ id: ROOM }, 201))
    expect(await client.createRoom({ body: NEW_ROOM })).toEqual({ id: ROOM })
    expect(new Set(keys()).size).toBe(1)
  })

  test('other operations are sent once, unless they only read', async () => {
    answers.push(refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), data({}))
    const call = client.closeRoom({ params: { room_id: ROOM } })
    await expect(call).rejects.toMatchObject({ status: 503, retryAfterSec: 0 })
    expect(seen).toHaveLength(1)
    answers = [cutOff, data({ id: ROOM })]
    expect(await client.getRoom({ params: { room_id: ROOM } })).toEqual({ id: ROOM })
    expect(seen).toHaveLength(3)
  })
})

test('a list is read page after page', async () => {
  answers.push(data({ items: [1, 2], next_cursor: 'c1', has_more: true }))
  answers.push(data({ items: [3], next_cursor: null, has_more: false }))
  const items: unknown[] = []
  const params = { room_id: ROOM }
  for await (const item of eachOf(client.listRecordings, { params, query: { limit: 2 } })) {
    items.push(item)
  }
  expect(items).toEqual([1, 2, 3])
  expect(seen.map(({ url }) => url)).toEqual([
    `/api/v1/rooms/${ROOM}/recordings?limit=2`,
    `/api/v1/rooms/${ROOM}/recordings?limit=2&cursor=c1`,
  ])
})

test('a list whose operation takes no parameters is read without arguments', async () => {
  answers.push(data({ items: [{ key_id: 'k1' }], next_cursor: 'c1', has_more: true }))
  answers.push(data({ items: [{ key_id: 'k2' }], next_cursor: null, has_more: false }))
  const ids: string[] = []
  for await (const { key_id } of eachOf(client.listApiKeys)) ids.push(key_id)
  expect(ids).toEqual(['k1', 'k2'])
  expect(seen.map(({ url }) => url)).toEqual(['/api/v1/api-keys', '/api/v1/api-keys?cursor=c1'])
})

test('a stream is read event by event, however its bytes are split', async () => {
  answers.push((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const bytes = Buffer.from(
      ': open\n\nevent: fact\nid: p1\ndata: {"note":"é"}\n\n: still here\n\nevent: closed\ndata: {"reason":\ndata: "room_closed"}\n\n',
    )
    // Splits a character of two bytes.
    const cut = bytes.indexOf(0xc3) + 1
    response.write(bytes.subarray(0, cut), () => response.end(bytes.subarray(cut)))
  })
  const events: unknown[] = []
  const params = { room_id: ROOM }
  for await (const event of client.streamRoom({ params, lastEventId: 'p0' })) events.push(event)
  expect(events).toEqual([
    { event: 'fact', id: 'p1', data: { note: 'é' } },
    { event: 'closed', id: undefined, data: { reason: 'room_closed' } },
  ])
  expect(seen[0]?.headers['last-event-id']).toBe('p0')
})

function oneEvent(response: ServerResponse, then?: () => void): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: fact\ndata: {}\n\n', then)
}

test('a stream that breaks off throws ConnectionError, and an aborted one its reason', async () => {
  const params = { room_id: ROOM }
  answers.push((response) => oneEvent(response, () => response.destroy()), oneEvent)
  const broken = client.streamRoom({ params })
  expect(await broken.next()).toMatchObject({ value: { event: 'fact' } })
  await expect(broken.next()).rejects.toThrow(ConnectionError)

  const aborter = new AbortController()
  const ended = client.streamRoom({ params, signal: aborter.signal })
  expect(await ended.next()).toMatchObject({ value: { event: 'fact' } })
  aborter.abort(new Error('not wanted any more'))
  await expect(ended.next()).rejects.toThrow('not wanted any more')
})

test('a stream that is refused throws', async () => {
  answers.push(refusal(409, 'SESSION_RELEASED'))
  await expect(client.streamRoom({ params: { room_id: ROOM } }).next()).rejects.toMatchObject({
    code: 'SESSION_RELEASED',
  })
})
