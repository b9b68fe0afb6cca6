import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { operatorOf } from '../../testing/board.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { addRecording } from '../../testing/recordings.ts'
import { IS_FULL_RUN } from '../../testing/scope.ts'
import { type Answer, toAnswer } from '../../testing/tenant-client.ts'

/**
 * Calls every operation of the description as callers who may not, and with values that it does not take.
 * `testing/answer-oracle.ts` judges for all tests that every answer is a described one.
 */
const RUNS = IS_FULL_RUN ? 400 : 12
/** A random one each time; `HOSTILE_SEED` repeats one. */
const SEED = Number(process.env['HOSTILE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const ALL = Object.entries(OPERATIONS).map(([name, { method, path, plane, example }]) => ({
  name,
  method,
  path,
  plane,
  request: example?.request,
}))
const isLive = (path: string) => /\}\/(live(\/|$)|chat-stamps)/.test(path)
const OF_TENANTS = ALL.filter(
  ({ path, plane }) => !isLive(path) && !path.startsWith('/board') && plane !== 'review',
)
const WITH_IDS = OF_TENANTS.filter(({ path }) => path.includes('{'))
/** A stream does not end. */
const WITH_ANSWERS = ALL.filter(({ path }) => !path.endsWith('/stream'))

const plane = useControlPlane()
const live = useLiveRooms(plane)
/** Ids of one tenant; another tenant calls. */
let ids: Record<string, string>
let ticket: string
let forBoards: string

beforeAll(async () => {
  process.stdout.write(`hostile requests: HOSTILE_SEED=${SEED}\n`)
  const room = await plane.book()
  const moderator = await live.enter(room.id, 'moderator')
  ticket = moderator.ticket
  forBoards = `Bearer ${(await operatorOf(plane)).token}`
  const recording = await addRecording(plane, room.id)
  const started = await plane.tenant.post(`/recordings/${recording}/transcriptions`, {})
  const test = await plane.tenant.post('/connection-tests', {})
  const participants = await plane.tenant.get(`/rooms/${room.id}/participants`)
  ids = {
    room_id: room.id,
    session_id: room.session.id,
    handout_id: (await addHandout(plane, room.session.id)).id,
    participant_id: participants.data.items[0].id,
    recording_id: recording,
    transcription_id: started.data.id,
    connection_test_id: test.data.id,
  }
})

const urlOf = (path: string) =>
  `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? randomUUID())}`

const typeOf = (method: Method) =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'

interface Sent {
  authorization: string
  payload?: string
}

async function call(
  { method, path }: { method: Method; path: string },
  { authorization, payload }: Sent,
): Promise<Answer> {
  const headers = {
    authorization,
    ...(payload !== undefined && { 'content-type': typeOf(method) }),
  }
  const request = { method, url: urlOf(path), headers, ...(payload !== undefined && { payload }) }
  return toAnswer(await plane.app.inject(request))
}

/** Refused in the envelope, as a deliberate refusal. */
function expectRefused(answer: Answer, what: unknown): void {
  expect(answer.status, String(what)).toBeGreaterThanOrEqual(400)
  expect(answer.status, String(what)).toBeLessThan(500)
  expect(JSON.parse(answer.text), String(what)).toMatchObject({
    success: false,
    error: { code: expect.any(String), message: expect.any(String) },
  })
}

describe('a resource of one tenant does not exist for another', () => {
  test.each(WITH_IDS)('$name', async ({ method, path, request }) => {
    const own = await plane.tenant.send({ method: 'GET', url: urlOf('/rooms/{room_id}') })
    const payload = request === undefined ? {} : { payload: JSON.stringify(request) }
    const answer = await call({ method, path }, { ...plane.other, ...payload })
    expect([answer.status, answer.code]).toEqual(
      answer.status === 415 ? [415, 'UNSUPPORTED_MEDIA_TYPE'] : [404, 'NOT_FOUND'],
    )
    for (const id of Object.values(ids)) expect(answer.text).not.toContain(id)
    const after = await plane.tenant.send({ method: 'GET', url: urlOf('/rooms/{room_id}') })
    expect(after.text).toBe(own.text)
  })
})

describe('a credential of one plane opens no other one', () => {
  test.each(WITH_ANSWERS)('$name', async (operation) => {
    const forTenants = plane.tenant.authorization
    const forPages = `Bearer ${ticket}`
    const foreign = isLive(operation.path)
      ? [forTenants, forBoards]
      : operation.path.startsWith('/board')
        ? [forTenants, forPages]
        : [forPages, forBoards, forPages.replace('Bearer', 'ApiKey')]
    if (operation.plane === 'public') return
    for (const authorization of foreign) {
      expectRefused(await call(operation, { authorization }), operation.name)
    }
  })
})

/** Values that a field may not expect. */
const STRANGE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    '\u0000',
    '\u202E\u200B',
    '\uD800',
    "'; drop table rooms; --",
    '../../etc/passwd',
    '${jndi:ldap://x}',
    'a'.repeat(100_000),
    '2030-02-30T25:61:00Z',
    '+275760-09-13T00:00:00Z',
    -1,
    0,
    1e308,
    2 ** 53,
    0.1,
    true,
    [],
    {},
    [[[[[]]]]],
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

/** The example with one of its members, at any depth, replaced, dropped or joined by another. */
function mutationOf(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example !== 'object' || example === null) return STRANGE
  const names = Object.keys(example)
  const replaced = names.map((name) =>
    mutationOf((example as Record<string, unknown>)[name]).map((value) => ({
      ...example,
      [name]: value,
    })),
  )
  const dropped = names.map((name) =>
    fc.constant(Object.fromEntries(Object.entries(example).filter(([each]) => each !== name))),
  )
  const joined = fc
    .tuple(fc.constantFrom('no_such', '__proto__', 'constructor', 'tenant_id', 'id'), STRANGE)
    .map(
      ([name, value]) =>
        JSON.parse(
          JSON.stringify({ ...example }).replace(
            /\}$/,
            // A function, because `$&` in a text would be replaced, too.
            () =>
              `${names.length > 0 ? ',' : ''}${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}}`,
          ),
        ) as unknown,
    )
  return fc.oneof(STRANGE, joined, ...replaced, ...dropped)
}

const textOf = (value: unknown) => JSON.stringify(value) ?? ''

/** Invalid JSON. */
const brokenOf = (example: unknown) =>
  fc
    .tuple(fc.nat({ max: 200 }), fc.constantFrom('', '{', ']', '\u0000', '"', ',', '\\u12', 'NaN'))
    .map(([at, put]) => textOf(example).slice(0, at) + put)

describe('a body of any kind gets an answer, never an internal error', () => {
  const withBody = WITH_ANSWERS.filter(({ request }) => request !== undefined)

  test.each(withBody)('$name', async (operation) => {
    const authorization = isLive(operation.path) ? `Bearer ${ticket}` : plane.tenant.authorization
    const bodies = fc.oneof(
      { weight: 4, arbitrary: mutationOf(operation.request).map(textOf) },
      { weight: 1, arbitrary: brokenOf(operation.request) },
    )
    const asked = fc.assert(
      fc.asyncProperty(bodies, async (payload) => {
        const answer = await call(operation, { authorization, payload })
        if (answer.status >= 300) expectRefused(answer, payload)
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
    await expect(asked).resolves.toBeUndefined()
  })

  test.each(WITH_ANSWERS.filter(({ method }) => method === 'GET'))(
    '$name, with a query of any kind',
    async (operation) => {
      const authorization = isLive(operation.path) ? `Bearer ${ticket}` : plane.tenant.authorization
      const names = ['limit', 'cursor', 'status', 'external_type', 'external_id', 'event_type', 'x']
      const queries = fc.array(
        fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 40 })),
        { minLength: 1, maxLength: 4 },
      )
      const asked = fc.assert(
        fc.asyncProperty(queries, async (pairs) => {
          const query = pairs.map(([name, value]) => `${name}=${encodeOf(value)}`).join('&')
          const answer = await call(
            { ...operation, path: `${operation.path}?${query}` },
            { authorization },
          )
          if (answer.status >= 300) expectRefused(answer, query)
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      )
      await expect(asked).resolves.toBeUndefined()
    },
  )
})

/** A lone surrogate cannot be encoded. It is sent as the replacement character, as a client would. */
const encodeOf = (text: string) => encodeURIComponent(text.toWellFormed())

async function exchange(bytes: string): Promise<string> {
  const { port } = new URL(live.origin)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  const closed = Promise.withResolvers<void>()
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    socket.end()
  })
  socket.on('error', () => closed.resolve())
  socket.on('close', () => closed.resolve())
  socket.write(bytes, 'latin1')
  await closed.promise
  return text
}

describe('invalid requests', () => {
  const HEAD = 'GET /api/v1/rooms HTTP/1.1\r\nHost: a\r\n'
  const CORPUS: Record<string, string> = {
    nonsense: 'abc\r\n\r\n',
    'a binary greeting': '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
    'no version': 'GET /\r\n\r\n',
    'a version to come': 'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
    'a header without a name': `${HEAD}: x\r\n\r\n`,
    'a folded header': `${HEAD}X: a\r\n b\r\n\r\n`,
    'a header that is too long': `${HEAD}X: ${'a'.repeat(70_000)}\r\n\r\n`,
    'two lengths': `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    'a length and chunks': `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'an invalid length': `${HEAD}Content-Length: -1\r\n\r\n`,
    'an invalid chunk': `POST /api/v1/rooms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    'a line feed in the path': 'GET /api/v1/rooms\nX: y HTTP/1.1\r\nHost: a\r\n\r\n',
    'an absolute address': 'GET http://elsewhere.invalid/nothing HTTP/1.1\r\nHost: a\r\n\r\n',
    'a tunnel': 'CONNECT elsewhere.invalid:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    'an unknown method': 'BREW /api/v1/rooms HTTP/1.1\r\nHost: a\r\n\r\n',
  }

  test.each(Object.entries(CORPUS))(
    '(%s) are refused, and others are served',
    async (_what, bytes) => {
      const answered = await exchange(bytes)
      // The connection may also be closed without an answer.
      expect(answered).toMatch(/^$|^HTTP\/1\.1 4\d\d [^]*"success":false/)
      expect((await plane.tenant.get('/rooms/' + ids['room_id'])).status).toBe(200)
    },
  )
})
