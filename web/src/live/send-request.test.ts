import { afterEach, describe, expect, test, vi } from 'vitest'
import { callService, sendRequest } from './send-request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A service with one answer for everything. Records the requests. */
function stubService(answer: () => Promise<Response>): RequestInit[] {
  const sent: RequestInit[] = []
  vi.stubGlobal('fetch', async (_address: string, request: RequestInit) => {
    sent.push(request)
    return answer()
  })
  return sent
}

const json = (status: number, body: object) => async () => Response.json(body, { status })
const DETAILS = [{ field: 'name', code: 'TOO_LONG', message: 'is too long' }]

describe('an answer of the service', () => {
  test.each([
    ['data', json(200, { success: true, data: { id: 1 } }), { ok: true, data: { id: 1 } }],
    ['no content', async () => new Response(null, { status: 204 }), { ok: true, data: null }],
    [
      'a refusal with details',
      json(400, { success: false, error: { code: 'VALIDATION_ERROR', details: DETAILS } }),
      { ok: false, code: 'VALIDATION_ERROR', details: DETAILS },
    ],
    [
      'a refusal without details',
      json(404, { success: false, error: { code: 'NOT_FOUND' } }),
      { ok: false, code: 'NOT_FOUND', details: [] },
    ],
    [
      'the page of a proxy',
      async () => new Response('<html>', { status: 502 }),
      { ok: false, code: 'OFFLINE', details: [] },
    ],
    [
      'the JSON of a proxy',
      json(502, { error: 'Bad Gateway' }),
      { ok: false, code: 'OFFLINE', details: [] },
    ],
    [
      'nothing',
      async () => Promise.reject(new TypeError('failed')),
      { ok: false, code: 'OFFLINE', details: [] },
    ],
  ])('is read if it is %s', async (_what, answer, expected) => {
    stubService(answer)
    const { headers, ...read } = await callService('/api', {})
    expect(read).toEqual(expected)
    expect(headers).toBeInstanceOf(Headers)
  })

  test('comes with its headers', async () => {
    const refusal = { success: false, error: { code: 'RATE_LIMIT_EXCEEDED' } }
    stubService(async () => Response.json(refusal, { headers: { 'retry-after': '3' } }))
    const { headers } = await callService('/api', {})
    expect(headers.get('retry-after')).toBe('3')
  })
})

describe('a request', () => {
  test('sends its body as JSON, with the credential', async () => {
    const sent = stubService(json(200, {}))
    await sendRequest('/api', { method: 'POST', authorization: 'Bearer t', body: { a: 1 } })
    expect(sent).toMatchObject([
      {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
        body: '{"a":1}',
      },
    ])
  })

  test('leaves the content type of a form to the browser', async () => {
    const sent = stubService(json(200, {}))
    const form = new FormData()
    await sendRequest('/api', { method: 'POST', body: form })
    expect(sent).toMatchObject([{ headers: {}, body: form }])
    expect(sent[0]?.headers).not.toHaveProperty('content-type')
  })

  test('ends after its time limit', async () => {
    vi.stubGlobal(
      'fetch',
      (_address: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    await expect(sendRequest('/api', { timeoutMs: 1 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })
})
