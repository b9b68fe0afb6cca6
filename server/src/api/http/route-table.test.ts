import { randomUUID } from 'node:crypto'
import { OPERATIONS } from '@interview-room/contract/operations.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, SAMPLES, sendForm } from '../../testing/multipart.ts'
import { type Answer, type TenantClient, toAnswer } from '../../testing/tenant-client.ts'
import { addThings } from '../../testing/things.ts'

/** The rules that every operation of the control plane has to keep. */

const plane = useControlPlane()

interface Route {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path as OpenAPI writes it. */
  path: string
  body: unknown
  isForm: boolean
  makesSafe: boolean
}

const ROUTES: Route[] = Object.entries(OPERATIONS)
  .filter(([, { plane }]) => plane === 'control')
  .map(([name, { method, path, form, example, makesSafe = false }]) => ({
    name,
    method,
    path,
    body: example?.request,
    isForm: form !== undefined,
    makesSafe,
  }))
const named = (routes: readonly Route[]) => routes.map((route) => [route.name, route] as const)
const WITH_ID = ROUTES.filter(({ path }) => path.includes('{'))
/** Operations that make something safe accept what they can: see `lenience`. */
const STRICT = ROUTES.filter(({ makesSafe }) => !makesSafe)
const WITH_JSON = STRICT.filter(({ body }) => body !== undefined)
const WITHOUT_BODY = STRICT.filter(
  ({ method, body, isForm }) => method !== 'GET' && body === undefined && !isForm,
)

/** Ids that `plane.tenant` has. */
let ids: Record<string, string>

beforeAll(async () => {
  // Participant tokens are signed at the real time.
  plane.now = new Date()
  const { id: roomId, session } = await plane.book()
  const things = await addThings(plane, roomId, session.id)
  ids = { ...things, participant_id: await participantOf(roomId), kid: await registerTokenKey() }
  const ofRecording = `/recordings/${things.recording_id}/processed-recording`
  await plane.tenant.post(ofRecording, { source: 'upload' })
  await createTestChat(plane).addMessage(roomId)
})

/** A missing id would be unknown to every tenant, and prove nothing. */
function ownId(name: string): string {
  const id = ids[name]
  if (id === undefined)
    throw new Error(
      `no ${name} is made in testing/things.ts: make one, so that it can be asked for`,
    )
  return id
}

const FORM = {
  parts: [
    ['file', file('plan.png', SAMPLES.png)],
    ['content_type', 'image'],
  ] as [string, ReturnType<typeof file> | string][],
}

async function registerTokenKey(): Promise<string> {
  const { data } = await plane.tenant.post(
    '/token-keys',
    OPERATIONS['POST /token-keys']?.example?.request as object,
  )
  return data.kid
}

async function participantOf(roomId: string): Promise<string> {
  const acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
  const token = await acting.signToken({ roomId })
  await plane.app.inject({
    method: 'POST',
    url: `/api/v1/rooms/${roomId}/live/entry`,
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = await plane.tenant.get(`/rooms/${roomId}/participants`)
  return data.items[0].id
}

function fill(path: string, valueOf: (name: string) => string): string {
  return path
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => valueOf(name))
    .replace(/^\/sessions$/, '/sessions?external_type=Slot&external_id=1')
}

async function call(
  client: TenantClient,
  { method, isForm, body }: Route,
  path: string,
): Promise<Answer> {
  if (isForm) return sendForm(client, `${method === 'POST' ? 'POST' : 'PATCH'} ${path}`, FORM)
  return client.send({
    method,
    url: `/api/v1${path}`,
    ...(body !== undefined && {
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
}

/** Everything that must not differ: all but the id of the exchange. */
const visible = ({ status, text, headers }: Answer) => {
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return { status, text, headers: others }
}

describe('every operation of the control plane', () => {
  // contract: API key › Required on every operation; missing, malformed, unknown and wrong are the
  //   same 401 UNAUTHORIZED
  // contract: Error codes › 401 UNAUTHORIZED
  test.each(named(ROUTES))('%s refuses a call without a key with 401', async (_name, route) => {
    const path = fill(route.path, ownId)
    const keys = [undefined, 'ApiKey', `ApiKey ${randomUUID()}.secret`, 'Bearer x.y.z']
    const answers = await Promise.all(
      keys.map(async (authorization) => {
        const headers = authorization === undefined ? {} : { authorization }
        const answer = await plane.app.inject({
          method: route.method,
          url: `/api/v1${path}`,
          headers,
        })
        return visible(toAnswer(answer))
      }),
    )
    expect(answers[0]).toMatchObject({ status: 401 })
    expect(JSON.parse(answers[0]?.text ?? '').error.code).toBe('UNAUTHORIZED')
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  // contract: Tenant isolation › A foreign id answers 404 NOT_FOUND byte for byte like an unknown
  //   one, in every operation
  test.each(named(WITH_ID))(
    '%s answers a foreign id byte for byte like an unknown one',
    async (_name, route) => {
      const foreign = await call(plane.other, route, fill(route.path, ownId))
      const unknown = await call(
        plane.other,
        route,
        fill(route.path, () => randomUUID()),
      )
      expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      expect(visible(foreign)).toEqual(visible(unknown))
    },
  )

  // contract: Tenant isolation › A malformed id answers the same 404 NOT_FOUND
  // contract: Error codes › 404 NOT_FOUND
  test.each(named(WITH_ID))('%s answers a malformed id with 404', async (_name, route) => {
    const unknown = await call(
      plane.tenant,
      route,
      fill(route.path, () => randomUUID()),
    )
    for (const id of ['x', '0', 'null', '%00', '..%2f', '{id}', 'a'.repeat(99), '%F0%9F%8E%A5']) {
      const answer = await call(
        plane.tenant,
        route,
        fill(route.path, () => encodeURI(decodeURI(id))),
      )
      expect([id, visible(answer)]).toEqual([id, visible(unknown)])
    }
  })

  // contract: Bodies and queries › Unknown members: 400 INVALID_REQUEST, `UNKNOWN_FIELD`
  // contract: Error codes › 400 INVALID_REQUEST
  test.each(named(WITH_JSON))('%s refuses an unknown member with 400', async (_name, route) => {
    const body = { ...(route.body as object), no_such_field: 1 }
    const path = fill(route.path, ownId)
    const answer = await call(plane.tenant, { ...route, body }, path)
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.details).toContainEqual(['no_such_field', 'UNKNOWN_FIELD'])
  })

  // contract: Bodies and queries › Unknown members: 400 INVALID_REQUEST, `UNKNOWN_FIELD`, also where there is no body
  test.each(named(WITHOUT_BODY))(
    '%s refuses a member where it takes no body',
    async (_name, route) => {
      const url = `/api/v1${fill(route.path, ownId)}`
      const headers = { 'content-type': 'application/json' }
      const payload = JSON.stringify({ no_such_field: 1 })
      const answer = await plane.tenant.send({ method: route.method, url, headers, payload })
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
      expect(answer.details).toEqual([['no_such_field', 'UNKNOWN_FIELD']])
    },
  )

  // contract: Bodies and queries › Unknown parameters: 400 INVALID_REQUEST, `UNKNOWN_FIELD`
  test.each(named(STRICT))('%s refuses an unknown parameter', async (_name, route) => {
    const path = fill(route.path, ownId)
    const behind = path.includes('?') ? '&' : '?'
    const answer = await call(plane.tenant, route, `${path}${behind}no_such_parameter=1`)
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(answer.details).toContainEqual(['no_such_parameter', 'UNKNOWN_FIELD'])
  })

  // contract: Bodies and queries › Not JSON, duplicate keys, NUL, lone surrogates: 400
  //   INVALID_JSON; another type than an object: 400 INVALID_REQUEST
  // contract: Error codes › 400 INVALID_JSON
  test.each(named(WITH_JSON))('%s refuses invalid JSON with 400', async (_name, route) => {
    const url = `/api/v1${fill(route.path, ownId)}`
    const headers = { 'content-type': 'application/json' }
    for (const payload of ['{', '{"a":1,"a":2}', '{"a":"\\u0000"}', '{"a":"\\ud800"}', '[]x']) {
      const answer = await plane.tenant.send({ method: route.method, url, headers, payload })
      expect([payload, answer.status, answer.code]).toEqual([payload, 400, 'INVALID_JSON'])
    }
    for (const payload of ['[]', '"text"', '1', 'true']) {
      const answer = await plane.tenant.send({ method: route.method, url, headers, payload })
      expect([payload, answer.status, answer.code]).toEqual([payload, 400, 'INVALID_REQUEST'])
    }
  })

  // contract: Bodies and queries › Another media type: 415 UNSUPPORTED_MEDIA_TYPE
  // contract: Error codes › 415 UNSUPPORTED_MEDIA_TYPE
  test.each(named(WITH_JSON))('%s refuses another media type with 415', async (_name, route) => {
    const url = `/api/v1${fill(route.path, ownId)}`
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      const answer = await plane.tenant.send({
        method: route.method,
        url,
        headers: { 'content-type': type },
        payload: 'a=1',
      })
      expect([type, answer.status, answer.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })

  // contract: Bodies and queries › Another method: 405 METHOD_NOT_ALLOWED with `Allow`; so is
  //   `DELETE /rooms/{room_id}`, which is reserved
  // contract: Error codes › 405 METHOD_NOT_ALLOWED
  test.each([...new Set(ROUTES.map(({ path }) => path))])(
    '%s refuses other methods with 405 and names its own',
    async (path) => {
      const offered = Object.values(OPERATIONS)
        .filter((each) => each.path === path)
        .map(({ method }) => method)
      const url = `/api/v1${fill(path, ownId)}`
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if ((offered as string[]).includes(method)) continue
        const answer = await plane.tenant.send({ method, url })
        expect([method, answer.status, answer.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED'])
        const allowed = String(answer.headers['allow']).split(', ')
        expect(allowed.filter((one) => one !== 'HEAD').toSorted()).toEqual(offered.toSorted())
      }
    },
  )
})
