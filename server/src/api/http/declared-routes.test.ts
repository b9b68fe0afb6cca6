import { randomUUID } from 'node:crypto'
import { API } from '@interview-room/contract/operations.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { beforeAll, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { readGuidePages } from '../guide/guide-pages.ts'
import { REFERENCE_TITLES } from '../openapi/reference-pages.ts'

const plane = useControlPlane()

/** Routes outside of the API, which have no declaration: pages, what they load, and the provider's notifications. */
const OUTSIDE = [
  'GET /',
  'GET /api/v1/openapi.json',
  'GET /assets/*',
  'GET /board',
  'GET /board/',
  'GET /console',
  'GET /console/',
  'GET /docs',
  'GET /docs/',
  'GET /docs/errors',
  'GET /docs/errors.md',
  'GET /docs/reference',
  'GET /docs/reference.md',
  'GET /docs/reference/',
  'GET /docs/search.json',
  ...[...readGuidePages().map(({ slug }) => slug), ...Object.keys(REFERENCE_TITLES)].flatMap(
    (slug) => [`GET /docs/${slug}`, `GET /docs/${slug}.md`],
  ),
  // Authorised by the token in the address.
  'GET /exports/:token',
  'GET /llms.txt',
  'GET /r/:room_id',
  'GET /r/:room_id/',
  'GET /s/:id/',
  'GET /s/:share_id',
  'GET /t/:id',
  'GET /t/:id/',
  'GET /v/:id/',
  'GET /v/:recording_id',
  'GET /v/rooms/:id/',
  'GET /v/rooms/:room_id',
  // Authorised by the signature of its body.
  'POST /api/v1/provider-events',
]

/** Ids of existing resources, so that a 401 is no 404 in disguise. */
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  plane.now = new Date()
  const room = await plane.book({ startsInMin: 1 })
  const { data } = await plane.tenant.post('/connection-tests', {})
  ids = { room_id: room.id, session_id: room.session.id, connection_test_id: data.id }
})

interface Route {
  method: string
  url: string
  operation: Operation | undefined
}

const routesOf = (): Route[] =>
  plane.app.routes.flatMap(({ methods, url, operation }) =>
    methods.map((method) => ({ method, url, operation })),
  )

/** The status of a call without a credential. */
async function statusOf({ method, url }: Route): Promise<number> {
  const path = url
    .replaceAll(/:(\w+)/g, (_all, name: string) => ids[name] ?? randomUUID())
    .replace('*', 'x')
  const { statusCode } = await plane.app.inject({ method: method as 'GET', url: path })
  return statusCode
}

test('every operation of the contract has a route', () => {
  const served = new Set(routesOf().map(({ operation }) => operation?.id))
  expect(Object.keys(API).filter((id) => !served.has(id))).toEqual([])
})

test('no route that is declared for a plane answers without the credential of that plane', async () => {
  const closed = routesOf().filter(
    ({ operation }) => operation !== undefined && operation.plane !== 'public',
  )
  expect(closed.length).toBeGreaterThan(Object.keys(API).length - 4)
  for (const route of closed) {
    const status = await statusOf(route)
    expect(`${route.method} ${route.url} ${status}`).toBe(`${route.method} ${route.url} 401`)
  }
})

test('no stream answers HEAD, which would stay open without an end', async () => {
  const streams = routesOf().filter(
    ({ method, operation }) =>
      method === 'GET' && Object.values(operation?.answers ?? {}).some((each) => 'events' in each),
  )
  expect(streams.map(({ url }) => url)).toEqual([
    '/api/v1/rooms/:room_id/live/stream',
    '/api/v1/board/stream',
  ])
  for (const { url } of streams) {
    const path = url.replace(':room_id', ids['room_id'] ?? '')
    const { statusCode, headers } = await plane.app.inject({ method: 'HEAD', url: path })
    expect([url, statusCode, headers['allow']]).toEqual([url, 405, 'GET'])
  }
})

test('only the pages and the refusal of other methods are routes without a declaration', async () => {
  const undeclared = routesOf().filter(({ operation }) => operation === undefined)
  const found = new Set<string>()
  for (const route of undeclared) {
    // A HEAD comes with its GET.
    const method = route.method === 'HEAD' ? 'GET' : route.method
    if ((await statusOf(route)) !== 405) found.add(`${method} ${route.url}`)
  }
  expect([...found].toSorted()).toEqual(OUTSIDE.toSorted())
})

test.each(['/board', '/console', '/r/:room_id', '/t/:connection_test_id'])(
  'a link to %s with a slash at its end leads to the page',
  async (url) => {
    const page = url.replace(/:(\w+)/, (_all, name: string) => ids[name] ?? '')
    const { statusCode, headers } = await plane.app.inject(`${page}/?from=mail`)
    expect([statusCode, headers['location']]).toEqual([301, `${page}?from=mail`])
  },
)

test.each(['/rooms/', '/connection-tests/', '/rooms//close'])(
  '%s, which has an empty id, is no address whose methods could be named',
  async (url) => {
    const answer = await plane.tenant.send({ method: 'PUT', url: `/api/v1${url}` })
    expect([answer.status, answer.code, answer.headers['allow']]).toEqual([
      404,
      'NOT_FOUND',
      undefined,
    ])
  },
)

test('each operation is exported by its id, and each address is declared once', () => {
  for (const [id, operation] of Object.entries(API)) expect(operation.id).toBe(id)
  const addresses = Object.values(API).map(({ method, path }) => `${method} ${path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})
