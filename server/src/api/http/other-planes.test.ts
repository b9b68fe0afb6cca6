import { randomUUID } from 'node:crypto'
import { API } from '@interview-room/contract/operations.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { operatorOf } from '../../testing/board.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { type Answer, toAnswer } from '../../testing/tenant-client.ts'
import { addThings } from '../../testing/things.ts'

/** The rules that every operation has to keep in the planes that no API key opens. */

const plane = useControlPlane()
const live = useLiveRooms(plane)

type Case = readonly [name: string, operation: Operation]

const ALL: readonly Case[] = Object.values(API)
  .filter(({ plane: name }: Operation) => ['room', 'board', 'review'].includes(name))
  .map((each: Operation) => [`${each.method} ${each.path}`, each])
/** Operations that make something safe accept what they can: see `lenience`. */
const STRICT = ALL.filter(([, { makesSafe }]) => makesSafe !== true)
const WRITES = STRICT.filter(([, { method }]) => method !== 'GET')
const OF_JSON = WRITES.filter(([, { form }]) => form === undefined)
/** A credential is for one of these. */
const PLACES = ['room_id', 'connection_test_id', 'recording_id']
const idsBeside = ({ params }: Operation) =>
  Object.keys(params?.properties ?? {}).filter((name) => !PLACES.includes(name))
/** The token of a link is for this link alone, so another link is 401. */
const WITH_ID_BESIDE = ALL.filter(
  ([, operation]) => idsBeside(operation).length > 0 && operation.takesShareLink === undefined,
)
const OF_ONE_PLACE = ALL.filter(([, { plane }]) => plane === 'room')
const OF_BOARD_ROOMS = ALL.filter(
  ([, operation]) => operation.plane === 'board' && operation.params !== undefined,
)

const OF_RECORDINGS = ALL.filter(
  ([, { plane, path }]) => plane === 'review' && path.includes('{recording_id}'),
)

type Ids = Readonly<Record<string, string>>

/** Ids that the caller may reach. */
let own: Ids
/** The same of another tenant, or of another room. */
let foreign: Ids
let credentials: Readonly<
  Record<'ticket' | 'token' | 'test' | 'board' | 'viewer' | 'share', string>
>

beforeAll(async () => {
  const { room_id, session } = await placeOf(plane.tenant)
  const moderator = await live.enter(room_id, 'moderator')
  const test = await plane.tenant.post('/connection-tests', {})
  own = {
    ...(await addThings(plane, room_id, session.id)),
    participant_id: (await live.enter(room_id, 'panelist')).participantId,
    question_id: await questionOf(moderator),
    connection_test_id: test.data.id,
  }
  const elsewhere = await plane.book({ startsInMin: 1 })
  foreign = {
    ...(await addThings(plane, elsewhere.id, elsewhere.session.id)),
    participant_id: (await live.enter(elsewhere.id, 'panelist')).participantId,
    question_id: await questionOf(await live.enter(elsewhere.id, 'moderator')),
    room_id: (await placeOf(plane.other)).room_id,
    connection_test_id: (await plane.other.post('/connection-tests', {})).data.id,
  }
  const participant = { external_type: 'User', external_id: 'not-yet-inside' }
  credentials = {
    ticket: moderator.ticket,
    token: await live.acting.signToken({ roomId: room_id, role: 'moderator', participant }),
    test: String(test.data.connect_url).split('#ticket=')[1] ?? '',
    board: (await operatorOf(plane)).token,
    viewer: await live.acting.signViewerToken({ room_id }),
    share: await shareOf(own['recording_id'] ?? ''),
  }
})

async function shareOf(recordingId: string): Promise<string> {
  const { items } = (await plane.tenant.get(`/recordings/${recordingId}/shares`)).data
  return String(items[0].url).split('#token=')[1] ?? ''
}

async function questionOf(moderator: Awaited<ReturnType<typeof live.enter>>): Promise<string> {
  const id = randomUUID()
  await moderator.post('/questions', { id, text: 'Which one?' })
  return id
}

async function placeOf(tenant: typeof plane.tenant) {
  const startsAt = Date.now() + 60_000
  const { data } = await tenant.post('/rooms', {
    kind: 'interview',
    session: {
      external_type: 'Slot',
      external_id: randomUUID(),
      starts_at: new Date(startsAt).toISOString(),
      ends_at: new Date(startsAt + 3_600_000).toISOString(),
    },
  })
  return { room_id: data.id as string, session: data.session as { id: string } }
}

function credentialOf({ plane, credential, takesShareLink }: Operation): string {
  if (plane === 'board') return credentials.board
  if (takesShareLink === true) return credentials.share
  if (plane === 'review') return credentials.viewer
  if (credential === 'test ticket') return credentials.test
  return credential === 'token or body' ? credentials.token : credentials.ticket
}

function idIn(ids: Ids, name: string): string {
  const id = ids[name]
  if (id === undefined) throw new Error(`no ${name} is made in testing/things.ts: make one`)
  return id
}

interface Sent {
  ids?: Ids
  isOpen?: boolean
  method?: string
  query?: string
  type?: string
  payload?: string
}

async function call(operation: Operation, sent: Sent = {}): Promise<Answer> {
  const { ids = own, method = operation.method, query = '', type, payload } = sent
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => idIn(ids, name))
  const injected = await plane.app.inject({
    method: method as Operation['method'],
    url: `/api/v1${path}${query}`,
    headers: {
      ...(sent.isOpen !== true && { authorization: `Bearer ${credentialOf(operation)}` }),
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(payload !== undefined && { payload }),
  })
  return toAnswer(injected)
}

/** Everything that must not differ: all but the id of the exchange. */
const visible = ({ status, text, headers }: Answer) => {
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return { status, text, headers: others }
}

const unknownIn = (ids: Ids, names: readonly string[]): Ids => ({
  ...ids,
  ...Object.fromEntries(names.map((name) => [name, randomUUID()])),
})

describe('every operation of the planes of rooms, boards and viewers', () => {
  test.each(ALL)('%s refuses a call without a credential with 401', async (_name, operation) => {
    const answer = await call(operation, { isOpen: true })
    expect([answer.status, answer.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test.each(OF_RECORDINGS)(
    '%s answers a recording of another room byte for byte like an unknown one',
    async (_name, operation) => {
      const sent = operation.body && { payload: JSON.stringify(operation.example?.request) }
      const type = operation.body && { type: 'application/json' }
      const answer = await call(operation, { ids: foreign, ...type, ...sent })
      const unknown = await call(operation, {
        ids: unknownIn(own, ['recording_id']),
        ...type,
        ...sent,
      })
      expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND'])
      expect(visible(unknown)).toEqual(visible(answer))
    },
  )

  test.each(OF_ONE_PLACE)(
    '%s takes a credential of another place for none, whether that place is there or not',
    async (_name, operation) => {
      const answer = await call(operation, { ids: foreign })
      const unknown = await call(operation, {
        ids: unknownIn(own, ['room_id', 'connection_test_id']),
      })
      expect([answer.status, answer.code]).toEqual([401, 'UNAUTHORIZED'])
      expect(visible(answer)).toEqual(visible(unknown))
    },
  )

  test.each(OF_BOARD_ROOMS)(
    '%s answers a room of another tenant with 404, like an unknown one',
    async (_name, operation) => {
      const answer = await call(operation, { ids: foreign })
      expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND'])
      const unknown = await call(operation, { ids: unknownIn(own, ['room_id']) })
      expect(visible(answer)).toEqual(visible(unknown))
    },
  )

  test.each(WITH_ID_BESIDE)(
    '%s answers what belongs to another room with 404, like what is unknown or malformed',
    async (_name, operation) => {
      const names = idsBeside(operation)
      const payload = operation.body && JSON.stringify(operation.example?.request)
      const sent = payload === undefined ? {} : { payload, type: 'application/json' }
      const elsewhere = {
        ...own,
        ...Object.fromEntries(names.map((name) => [name, idIn(foreign, name)])),
      }
      const answer = await call(operation, { ...sent, ids: elsewhere })
      expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND'])
      const unknown = await call(operation, { ...sent, ids: unknownIn(own, names) })
      expect(visible(answer)).toEqual(visible(unknown))
      const malformed = { ...own, ...Object.fromEntries(names.map((name) => [name, 'x'])) }
      expect(visible(await call(operation, { ...sent, ids: malformed }))).toEqual(visible(unknown))
    },
  )

  test.each(OF_JSON)('%s refuses an unknown member with 400', async (_name, operation) => {
    const body = { ...(operation.example?.request as object), no_such_field: 1 }
    const payload = JSON.stringify(body)
    const answer = await call(operation, { type: 'application/json', payload })
    expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.details).toContainEqual(['no_such_field', 'UNKNOWN_FIELD'])
  })

  test.each(STRICT)('%s refuses an unknown parameter with 400', async (_name, operation) => {
    const body = operation.example?.request
    const answer = await call(operation, {
      query: '?no_such_field=1',
      ...(body !== undefined && { type: 'application/json', payload: JSON.stringify(body) }),
    })
    expect([answer.status, answer.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.details).toContainEqual(['no_such_field', 'UNKNOWN_FIELD'])
  })

  test.each(OF_JSON)('%s refuses invalid JSON with 400', async (_name, operation) => {
    for (const payload of ['{', '{"a":1,"a":2}', '{"a":"\\u0000"}', '[]x']) {
      const answer = await call(operation, { type: 'application/json', payload })
      expect([payload, answer.status, answer.code]).toEqual([payload, 400, 'INVALID_JSON'])
    }
  })

  test.each(WRITES)('%s refuses another media type with 415', async (_name, operation) => {
    const patch = operation.method === 'PATCH' ? [] : ['application/merge-patch+json']
    for (const type of ['text/plain', 'application/xml', ...patch]) {
      const answer = await call(operation, { type, payload: 'a=1' })
      expect([type, answer.status, answer.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })

  test.each(ALL)(
    '%s refuses other methods with 405 and names its own',
    async (_name, operation) => {
      const offered = Object.values<Operation>(API)
        .filter(({ path }) => path === operation.path)
        .map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (offered.includes(method as Operation['method'])) continue
        const answer = await call(operation, { method })
        expect([method, answer.status, answer.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED'])
        const allowed = String(answer.headers['allow']).split(', ')
        expect(allowed.filter((one) => one !== 'HEAD').toSorted()).toEqual(offered.toSorted())
      }
    },
  )
})
