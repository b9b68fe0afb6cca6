import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { decodeJwt } from 'jose'
import { TokenVerifier } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Media, MediaError } from '../media.ts'
import { createLivekitMedia } from './livekit-media.ts'

type Answer = (call: Call, response: ServerResponse) => void
interface Call {
  method: string
  body: Record<string, unknown>
  grants: Record<string, unknown>
}

const API_KEY = 'key'
const API_SECRET = 'a-secret-of-the-provider'

let server: Server
let media: Media
let answer: Answer
let calls: Call[]

/** A provider that answers whatever a test wants. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = (await request.toArray()) as Buffer[]
  const call = {
    method: request.url?.split('/').at(-1) ?? '',
    body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    grants: decodeJwt(request.headers.authorization?.slice('Bearer '.length) ?? '')[
      'video'
    ] as Record<string, unknown>,
  }
  calls.push(call)
  answer(call, response)
}

function json(status: number, body: unknown, contentType = 'application/json'): Answer {
  return (_call, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(body))
  }
}

beforeAll(async () => {
  server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  media = createLivekitMedia({
    apiUrl: `http://127.0.0.1:${port}`,
    publicUrl: `ws://127.0.0.1:${port}`,
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    inspectorUrl: undefined,
  })
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  calls = []
  answer = json(200, {})
})

const spec = { name: 'room', emptyTimeoutSec: 5700, metadata: { room_id: 'room' } }

describe('a media room', () => {
  test('is created with both timeouts and its metadata, and its sid is answered', async () => {
    answer = json(200, {
      sid: 'RM_1',
      name: 'room',
      empty_timeout: 5700,
      creation_time: '1780000000',
    })
    expect(await media.ensureRoom(spec)).toEqual({ sid: 'RM_1', emptyTimeoutSec: 5700 })
    expect(calls).toEqual([
      {
        method: 'CreateRoom',
        body: {
          name: 'room',
          emptyTimeout: 5700,
          departureTimeout: 5700,
          metadata: '{"room_id":"room"}',
        },
        grants: { roomCreate: true },
      },
    ])
  })

  test('answered without a sid is a failure', async () => {
    answer = json(200, { name: 'room' })
    await expect(media.ensureRoom(spec)).rejects.toThrow(MediaError)
  })

  test('is deleted, also when it is gone already', async () => {
    await media.deleteRoom('room')
    answer = json(404, { code: 'not_found', msg: 'requested room does not exist' })
    await media.deleteRoom('room')
    answer = json(404, { code: 'not_found', msg: '' }, 'application/json; charset=utf-8')
    await media.deleteRoom('room')
    expect(calls.map((call) => call.body)).toEqual([
      { room: 'room' },
      { room: 'room' },
      { room: 'room' },
    ])
  })

  test('is found by name, and no names find nothing', async () => {
    answer = json(200, { rooms: [{ name: 'a', sid: 'RM_a' }] })
    expect(await media.listRooms(['a', 'b'])).toEqual([{ name: 'a', sid: 'RM_a' }])
    expect(await media.listRooms([])).toEqual([])
    expect(calls).toHaveLength(1)
  })
})

describe('the connections of a media room', () => {
  test('are told with people and robots apart, and exact times', async () => {
    answer = json(200, {
      participants: [
        {
          sid: 'PA_1',
          identity: 'p1',
          state: 'ACTIVE',
          joined_at: '1780000000',
          joined_at_ms: '1780000000123',
        },
        { sid: 'PA_2', identity: 'p2', state: 'JOINED', joined_at: '1780000001' },
        { sid: 'PA_3', identity: 'EG_1', state: 'ACTIVE', kind: 'EGRESS', joined_at: '1780000002' },
        {
          sid: 'PA_4',
          identity: 'rec',
          state: 'ACTIVE',
          permission: { recorder: true },
          joined_at: '1780000002',
        },
      ],
    })
    expect(await media.listConnections('room')).toEqual([
      {
        identity: 'p1',
        sid: 'PA_1',
        joinedAt: new Date(1_780_000_000_123),
        isPerson: true,
        isActive: true,
      },
      {
        identity: 'p2',
        sid: 'PA_2',
        joinedAt: new Date(1_780_000_001_000),
        isPerson: true,
        isActive: false,
      },
      {
        identity: 'EG_1',
        sid: 'PA_3',
        joinedAt: new Date(1_780_000_002_000),
        isPerson: false,
        isActive: true,
      },
      {
        identity: 'rec',
        sid: 'PA_4',
        joinedAt: new Date(1_780_000_002_000),
        isPerson: false,
        isActive: true,
      },
    ])
  })

  test('are none in an empty media room, and undefined without one', async () => {
    answer = ({ method }, response) => {
      json(200, method === 'ListRooms' ? { rooms: [{ name: 'room', sid: 'RM' }] } : {})(
        {} as Call,
        response,
      )
    }
    expect(await media.listConnections('room')).toEqual([])
    answer = json(200, {})
    expect(await media.listConnections('room')).toBeUndefined()
    answer = json(404, { code: 'not_found', msg: '' })
    expect(await media.listConnections('room')).toBeUndefined()
  })

  test('are removed, also when they are gone already', async () => {
    answer = json(404, { code: 'not_found', msg: 'participant does not exist' })
    await media.removeConnection('room', 'p1')
    expect(calls[0]?.body).toMatchObject({ room: 'room', identity: 'p1' })
  })
})

const calledWith = (name: string) =>
  calls.filter(({ method }) => method === name).map(({ body }) => body)

describe('muting a microphone', () => {
  test('mutes every open microphone of the person, and nothing else', async () => {
    answer = ({ method }, response) => {
      const tracks = [
        { sid: 'TR_camera', source: 'CAMERA' },
        { sid: 'TR_one', source: 'MICROPHONE' },
        { sid: 'TR_muted', source: 'MICROPHONE', muted: true },
        { sid: 'TR_two', type: 'AUDIO', source: 'MICROPHONE' },
        { sid: 'TR_shared', source: 'SCREEN_SHARE_AUDIO' },
      ]
      const found = { sid: 'PA_1', identity: 'p1', tracks }
      json(200, method === 'GetParticipant' ? found : {})({} as Call, response)
    }
    await media.muteMicrophone('room', 'p1')
    expect(calledWith('GetParticipant')).toEqual([{ room: 'room', identity: 'p1' }])
    expect(calledWith('MutePublishedTrack')).toEqual([
      { room: 'room', identity: 'p1', trackSid: 'TR_one', muted: true },
      { room: 'room', identity: 'p1', trackSid: 'TR_two', muted: true },
    ])
  })

  test('leaves alone who publishes none, or is gone', async () => {
    answer = json(200, { sid: 'PA_1', identity: 'p1' })
    await media.muteMicrophone('room', 'p1')
    answer = json(404, { code: 'not_found', msg: 'participant does not exist' })
    await media.muteMicrophone('room', 'p1')
    expect(calls.map(({ method }) => method)).toEqual(['GetParticipant', 'GetParticipant'])
  })
})

describe('a provider that fails', () => {
  const everyCall: readonly [string, () => Promise<unknown>][] = [
    ['ensureRoom', () => media.ensureRoom(spec)],
    ['deleteRoom', () => media.deleteRoom('room')],
    ['listRooms', () => media.listRooms(['room'])],
    ['listConnections', () => media.listConnections('room')],
    ['removeConnection', () => media.removeConnection('room', 'p1')],
    ['muteMicrophone', () => media.muteMicrophone('room', 'p1')],
    ['check', () => media.check()],
  ]

  test.each(everyCall)('by refusing us makes %s throw a MediaError', async (_name, call) => {
    answer = json(401, { code: 'unauthenticated', msg: 'invalid token: eyJ' })
    await expect(call()).rejects.toThrow(MediaError)
  })

  test.each(everyCall)(
    'by an address of no API makes %s throw a MediaError',
    async (_name, call) => {
      answer = json(404, { code: 'bad_route', msg: 'no handler' })
      await expect(call()).rejects.toThrow(MediaError)
    },
  )

  test.each(everyCall)('by cutting the line makes %s throw a MediaError', async (_name, call) => {
    answer = (_call, response) => response.destroy()
    await expect(call()).rejects.toThrow(MediaError)
  })

  test.each([
    ['HTML', '<html>hello</html>'],
    ['another shape', '{"sid":{"a":1}}'],
    ['nothing', ''],
  ])('by answering %s throws a MediaError', async (_name, body) => {
    answer = (_call, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    await expect(media.ensureRoom(spec)).rejects.toThrow(MediaError)
  })

  test('is not quoted: its refusals hold our token', async () => {
    answer = json(401, { code: 'unauthenticated', msg: 'invalid token: eyJsecret' })
    const error = await media.check().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(MediaError)
    expect((error as Error).message).toBe('could not reach the provider: unauthenticated 401')
    expect((error as Error).cause).toBeUndefined()
  })

  test('by silence is given up after 3 seconds', async () => {
    answer = () => {}
    const startMs = performance.now()
    await expect(media.check()).rejects.toThrow(MediaError)
    const tookMs = performance.now() - startMs
    expect(tookMs).toBeGreaterThan(2_900)
    expect(tookMs).toBeLessThan(8_000)
  }, 20_000)

  test('by stopping in the middle of its answer is given up after 3 seconds', async () => {
    answer = (_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"sid":')
    }
    await expect(media.ensureRoom(spec)).rejects.toThrow(MediaError)
  }, 20_000)
})

async function grantOf(role: (typeof ROLES)[number]) {
  const token = await media.signToken({
    mediaRoom: 'room',
    identity: 'p1',
    displayName: '山田 太郎',
    role,
    lifeSec: 600,
  })
  return new TokenVerifier(API_KEY, API_SECRET).verify(token)
}

describe('a media token', () => {
  test.each([
    ['moderator', ['camera', 'microphone', 'screen_share', 'screen_share_audio']],
    ['panelist', ['camera', 'microphone']],
  ] as const)('lets a %s be seen and publish %j', async (role, sources) => {
    const { video } = await grantOf(role)
    expect(video).toMatchObject({ canPublish: true, canPublishSources: sources, hidden: false })
  })

  test.each(['observer', 'platform_observer'] as const)(
    'hides an %s, who publishes nothing',
    async (role) => {
      expect((await grantOf(role)).video).toMatchObject({ canPublish: false, hidden: true })
    },
  )

  test.each(ROLES)(
    'lets a %s join this room only, hear and see all, and send no data',
    async (role) => {
      const claims = await grantOf(role)
      expect(claims.video).toMatchObject({
        roomJoin: true,
        room: 'room',
        canSubscribe: true,
        canPublishData: false,
        canUpdateOwnMetadata: false,
      })
      expect(claims).toMatchObject({
        sub: 'p1',
        name: '山田 太郎',
        metadata: JSON.stringify({ role }),
      })
      for (const right of ['roomAdmin', 'roomCreate', 'roomList', 'roomRecord', 'recorder']) {
        expect(claims.video).not.toHaveProperty(right)
      }
      expect(claims.exp! - claims.nbf!).toBe(600)
    },
  )
})
