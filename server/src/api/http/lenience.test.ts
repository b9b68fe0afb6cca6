import { OPERATIONS } from '@interview-room/contract/operations.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { sendError } from './errors.ts'
import { readLeniently } from './lenience.ts'
import { toRefusal, validatorOptions } from './validation.ts'

const plane = useControlPlane()
const CONTROL: readonly Operation[] = Object.values(OPERATIONS)
const SAFE = CONTROL.filter(({ makesSafe }) => makesSafe)
const READS = CONTROL.filter(({ method, plane: of }) => method === 'GET' && of === 'control')
/** With the ids of the examples, which are well-formed. */
const addressOf = ({ path, params }: Operation) =>
  `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => exampleOf(params, name))}`
const exampleOf = (params: Operation['params'], name: string) => {
  const declared: { examples?: string[] } | undefined = params?.properties[name]
  const [example] = declared?.examples ?? []
  return example ?? '019a3083-0000-7000-8000-000000000000'
}

describe('an operation that makes something safe', () => {
  // contract: Bodies and queries › Close, cancel, ban, remove, mute, revoke, pause and stop ignore undeclared parameters and members
  test.each(SAFE.map((each) => [each.id, each] as const))('%s declares it', (_id, { method }) => {
    expect(method).not.toBe('GET')
  })

  const body = { reason: null, no_such: 1 }
  test.each([
    ['an unknown parameter', { url: '?_=1&no_such=2' }],
    ['unknown members, and no reason', { payload: body }],
    ['a body that is no object', { payload: ['x'] }],
    ['a body that is not JSON', { payload: '{', type: 'application/json' }],
    ['a body of another type', { payload: 'bye', type: 'text/plain' }],
  ])('closes a room in spite of %s', async (_what, { url = '', payload, type }: Sent) => {
    const { id } = await plane.book()
    const { status } = await send(`/api/v1/rooms/${id}/close${url}`, payload, type)
    expect(status).toBe(200)
    expect((await plane.tenant.get(`/rooms/${id}`)).data.status).toBe('closed')
  })

  test('still needs what it is about', async () => {
    const { status } = await plane.tenant.post('/viewer-tokens/revoke', { jti: null })
    expect(status).toBe(400)
  })
})

interface Sent {
  url?: string
  payload?: unknown
  type?: string
}

async function send(url: string, payload: unknown, type = 'application/json') {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const { authorization } = plane.tenant
  const answer = await plane.app.inject({
    method: 'POST',
    url,
    headers: { authorization, ...(payload !== undefined && { 'content-type': type }) },
    ...(payload !== undefined && { payload: text }),
  })
  return { status: answer.statusCode, text: answer.body }
}

async function call(operation: Operation, query: string) {
  const url = `${addressOf(operation)}${query}`
  return plane.app.inject({ url, headers: { authorization: plane.tenant.authorization } })
}

describe('a read', () => {
  // contract: Bodies and queries › Reads ignore `_`, `utm_*`, `fbclid` and `gclid`, and refuse every other unknown parameter
  test.each(READS.map((each) => [each.id, each] as const))(
    '%s ignores what is added on the way, and nothing else',
    async (_id, operation) => {
      const noise = '_=1&utm_source=mail&fbclid=a&gclid=b'
      const noisy = await call(operation, `?${noise}`)
      expect(noisy.body).not.toMatch(/"field":"(_|utm_source|fbclid|gclid)"/)
      const unknown = await call(operation, `?${noise}&no_such=1`)
      // An unknown id is 404 before or after the query is judged.
      expect([400, 404]).toContain(unknown.statusCode)
    },
  )
})

describe('what creates, changes or deletes', () => {
  // contract: Bodies and queries › At a creation, null for an optional member means absent
  test('takes null for what is optional, and refuses it for what is required', async () => {
    const key = await plane.tenant.post('/api-keys', { note: null, expires_at: null, scopes: null })
    expect(key.status).toBe(201)
    const refused = await plane.tenant.post('/rooms', { session: null, unknown: null })
    const fields = refused.details?.map(([field]) => field)
    expect(fields).toContain('unknown')
  })

  // contract: Bodies and queries › A PATCH that repeats an immutable member unchanged is no change
  test('takes an immutable member that stays as it is', async () => {
    const { id } = await plane.book()
    const room = (await plane.tenant.get(`/rooms/${id}`)).data
    const patch = async (body: unknown) =>
      plane.tenant.send({
        method: 'PATCH',
        url: `/api/v1/rooms/${id}`,
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/merge-patch+json' },
      })
    const same = { archive_mode: room.archive_mode, stream_frame_rate: room.stream_frame_rate }
    expect((await patch(same)).status).toBe(200)
    const other = room.archive_mode === 'manual' ? 'always' : 'manual'
    expect((await patch({ ...same, archive_mode: other })).code).toBe('IMMUTABLE_FIELD')
  })
})

describe('a request without a body', () => {
  // contract: Bodies and queries › Without a body there is no content type to judge
  test.each(['application/json', 'text/plain; charset=UTF-8', 'application/xml', '*/*', ''])(
    'may have the content type %s',
    async (type) => {
      const { id } = await plane.book()
      const headers = { authorization: plane.tenant.authorization, 'content-type': type }
      const sent = async (method: 'GET' | 'DELETE' | 'POST', url: string) =>
        (await plane.app.inject({ method, url: `/api/v1/rooms/${id}${url}`, headers })).statusCode
      expect(await sent('GET', '')).toBe(200)
      expect(await sent('DELETE', '/chat-messages')).toBe(204)
      expect(await sent('POST', '/close')).toBe(200)
    },
  )

  test('with a body of another type is still refused where the body counts', async () => {
    const { status } = await send('/api/v1/rooms', 'a=1', 'application/x-www-form-urlencoded')
    expect(status).toBe(415)
  })
})

// contract: Form of answers › An unknown address is 404 before its body is read
test.each(['{', '{"a":1,"a":2}'])(
  'an unknown address is 404, whatever its body: %s',
  async (text) => {
    expect((await send('/api/v1/no-such', text)).status).toBe(404)
    expect((await send('/api/v1/no-such', text, 'text/plain')).status).toBe(404)
  },
)

describe('null at a creation', () => {
  let app: FastifyInstance
  beforeAll(() => {
    app = Fastify({ ajv: validatorOptions, schemaErrorFormatter: toRefusal })
    app.decorateRequest('errorCode', '')
    app.setErrorHandler(sendError)
    const body = Type.Object(
      {
        name: Type.String(),
        note: Type.Optional(Type.String()),
        place: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
        slot: Type.Optional(Type.Object({ title: Type.Optional(Type.String()) })),
      },
      { additionalProperties: false },
    )
    const operation = { method: 'POST', body } as unknown as Operation
    app.addHook('preValidation', readLeniently)
    app.post('/', { schema: { body }, config: { operation } }, async (request) => request.body)
  })
  afterAll(() => app.close())

  test('is absent where it is optional, also in an object inside, and stays where it means something', async () => {
    const payload = { name: 'a', note: null, place: null, slot: { title: null } }
    const answer = await app.inject({ method: 'POST', url: '/', payload })
    expect(answer.json()).toEqual({ name: 'a', place: null, slot: {} })
    const required = await app.inject({ method: 'POST', url: '/', payload: { name: null } })
    expect(required.statusCode).toBe(400)
  })
})
