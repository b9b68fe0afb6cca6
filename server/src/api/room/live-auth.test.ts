import { randomUUID } from 'node:crypto'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { BODY_MAX } from '@interview-room/contract/operations/operation.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { type Answer, toAnswer } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const ROUTES = Object.keys(OPERATIONS)
  .filter((name) => /\}\/(live(\/|$)|chat-stamps)/.test(name))
  .map((name) => name.split(' ') as [Method, string])
const WITH_BODY = ROUTES.filter(([method]) => method !== 'GET')

/** A room and a test that are there, and a ticket of another room. */
let ids: Record<string, string>
let foreign: string

beforeAll(async () => {
  const room = await plane.book({ startsInMin: 1 })
  const elsewhere = await plane.book({ startsInMin: 1 })
  const guest = await live.enter(elsewhere.id, 'moderator')
  foreign = guest.ticket
  const { data } = await plane.tenant.post('/connection-tests', {})
  ids = { room_id: room.id, connection_test_id: data.id }
})

function urlOf(path: string): string {
  return `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? randomUUID())}`
}

async function call(
  [method, path]: [Method, string],
  { headers = {}, payload }: { headers?: Record<string, string>; payload?: string | Buffer },
): Promise<Answer> {
  const request = { method, url: urlOf(path), headers, ...(payload !== undefined && { payload }) }
  return toAnswer(await plane.app.inject(request))
}

const BAD = () => ['', 'Bearer', 'Bearer x.y.z', `Bearer ${foreign}`, 'ApiKey a.b']
const BODIES: readonly [what: string, type: string, payload: string | Buffer][] = [
  ['invalid JSON', 'application/json', '{'],
  ['what the schema does not allow', 'application/json', '{"no_such_field":1}'],
  ['another media type', 'text/plain', 'a'],
  ['more than a body may have', 'application/json', Buffer.alloc(BODY_MAX.bytes + 1, 0x20)],
]

describe('an invalid credential is 401 before the body is judged', () => {
  // contract: Participant token › The credential is judged before path, query and body: 401, not
  //   400, 404, 413 or 415
  test.each(WITH_BODY)('%s %s', async (method, path) => {
    for (const authorization of BAD()) {
      for (const [what, type, payload] of BODIES) {
        const headers = { authorization, 'content-type': type }
        const answer = await call([method, path], { headers, payload })
        expect([what, authorization, answer.status, answer.code]).toEqual([
          what,
          authorization,
          401,
          'UNAUTHORIZED',
        ])
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
    }
  })

  test.each(ROUTES)('%s %s, even with a malformed id or query', async (method, path) => {
    const malformed = path.replaceAll(/\{\w+\}/g, 'x')
    for (const authorization of BAD()) {
      for (const where of [malformed, `${path}?limit=many&no_such=1`]) {
        const answer = await call([method, where], { headers: { authorization } })
        expect([where, answer.status, answer.code]).toEqual([where, 401, 'UNAUTHORIZED'])
      }
    }
  })

  test('except on the simple route, whose credential is in the body', async () => {
    const entry: [Method, string] = ['POST', '/rooms/{room_id}/live/entry']
    const headers = { 'content-type': 'application/json' }
    expect(await call(entry, { headers, payload: '{' })).toMatchObject({ code: 'INVALID_JSON' })
    expect(await call(entry, { headers, payload: '{}' })).toMatchObject({ code: 'UNAUTHORIZED' })
  })
})
