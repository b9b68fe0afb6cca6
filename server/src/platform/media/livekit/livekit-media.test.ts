import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { decodeJwt } from 'jose'
import { TokenVerifier } from 'livekit-server-sdk'
import { describe, expect, test } from 'vitest'
import { ALL_RIGHTS, MediaError } from '../../ports/media.ts'
import { permissionOf } from './join-token.ts'
import { LIVEKIT_TIMEOUTS } from './livekit-media.ts'
import {
  API_KEY,
  API_SECRET,
  answerJson,
  type ProviderCall,
  useProviderStub,
} from './testing/provider-stub.ts'

const provider = useProviderStub()
const spec = { name: 'room', emptyTimeoutSec: 5700, metadata: { room_id: 'room' } }

describe('a media room', () => {
  test('is created with both timeouts and its metadata, and its sid is answered', async () => {
    provider.answer = answerJson(200, {
      sid: 'RM_1',
      name: 'room',
      empty_timeout: 5700,
      creation_time: '1780000000',
    })
    expect(await provider.media.ensureRoom(spec)).toEqual({ sid: 'RM_1', emptyTimeoutSec: 5700 })
    expect(provider.calls).toEqual([
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
    provider.answer = answerJson(200, { name: 'room' })
    await expect(provider.media.ensureRoom(spec)).rejects.toThrow(MediaError)
  })

  test('is deleted, even if it is gone already', async () => {
    await provider.media.deleteRoom('room')
    provider.answer = answerJson(404, { code: 'not_found', msg: 'requested room does not exist' })
    await provider.media.deleteRoom('room')
    provider.answer = answerJson(
      404,
      { code: 'not_found', msg: '' },
      'application/json; charset=utf-8',
    )
    await provider.media.deleteRoom('room')
    expect(provider.calls.map((call) => call.body)).toEqual([
      { room: 'room' },
      { room: 'room' },
      { room: 'room' },
    ])
  })

  test('is found by name with the number of its participants, and no names find nothing', async () => {
    provider.answer = answerJson(200, {
      rooms: [
        { name: 'a', sid: 'RM_a', num_participants: 2 },
        { name: 'b', sid: 'RM_b' },
      ],
    })
    expect(await provider.media.listRooms(['a', 'b', 'c'])).toEqual([
      { name: 'a', sid: 'RM_a', connectionCount: 2 },
      { name: 'b', sid: 'RM_b', connectionCount: 0 },
    ])
    expect(await provider.media.listRooms([])).toEqual([])
    expect(provider.calls).toHaveLength(1)
  })
})

describe('the connections of a media room', () => {
  test('lists people and robots separately, with exact times', async () => {
    provider.answer = answerJson(200, {
      participants: [
        {
          sid: 'PA_1',
          identity: 'p1',
          state: 'ACTIVE',
          joined_at: '1780000000',
          joined_at_ms: '1780000000123',
          tracks: [{ sid: 'TR_1', type: 'AUDIO' }],
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
        {
          sid: 'PA_5',
          identity: 'p5',
          state: 'ACTIVE',
          kind: 'AGENT',
          permission: { hidden: true },
          joined_at: '1780000002',
        },
        {
          sid: 'PA_6',
          identity: 'agent-1',
          state: 'ACTIVE',
          kind: 'AGENT',
          permission: { hidden: true, agent: true },
          joined_at: '1780000002',
        },
      ],
    })
    const connections = await provider.media.listConnections('room')
    expect(connections?.slice(4).map(({ isPerson, guest }) => [isPerson, guest])).toEqual([
      [true, undefined],
      [true, { kind: 'agent', name: '' }],
    ])
    expect(connections?.slice(0, 4)).toEqual([
      {
        identity: 'p1',
        sid: 'PA_1',
        joinedAt: new Date(1_780_000_000_123),
        isPerson: true,
        isActive: true,
        isPublishing: true,
        isSending: true,
        rights: ALL_RIGHTS,
      },
      {
        identity: 'p2',
        sid: 'PA_2',
        joinedAt: new Date(1_780_000_001_000),
        isPerson: true,
        isActive: false,
        isPublishing: false,
        isSending: false,
        rights: ALL_RIGHTS,
      },
      {
        identity: 'EG_1',
        sid: 'PA_3',
        joinedAt: new Date(1_780_000_002_000),
        isPerson: false,
        isActive: true,
        isPublishing: false,
        isSending: false,
        rights: ALL_RIGHTS,
      },
      {
        identity: 'rec',
        sid: 'PA_4',
        joinedAt: new Date(1_780_000_002_000),
        isPerson: false,
        isActive: true,
        isPublishing: false,
        isSending: false,
        rights: { mayPublish: false, mayReceive: false },
      },
    ])
  })

  test('are an empty list in an empty media room, and undefined without one', async () => {
    provider.answer = ({ method }, response) => {
      answerJson(200, method === 'ListRooms' ? { rooms: [{ name: 'room', sid: 'RM' }] } : {})(
        {} as ProviderCall,
        response,
      )
    }
    expect(await provider.media.listConnections('room')).toEqual([])
    provider.answer = answerJson(200, {})
    expect(await provider.media.listConnections('room')).toBeUndefined()
    provider.answer = answerJson(404, { code: 'not_found', msg: '' })
    expect(await provider.media.listConnections('room')).toBeUndefined()
  })

  test('are removed, even if they are gone already', async () => {
    provider.answer = answerJson(404, { code: 'not_found', msg: 'participant does not exist' })
    await provider.media.removeConnection('room', 'p1')
    expect(provider.calls[0]?.body).toMatchObject({ room: 'room', identity: 'p1' })
  })
})

const calledWith = (name: string) =>
  provider.calls.filter(({ method }) => method === name).map(({ body }) => body)

describe('muting a microphone', () => {
  // contract: muteParticipant › The provider mutes every open microphone of the person
  test('mutes every open microphone of the person, and nothing else', async () => {
    provider.answer = ({ method }, response) => {
      const tracks = [
        { sid: 'TR_camera', source: 'CAMERA' },
        { sid: 'TR_one', source: 'MICROPHONE' },
        { sid: 'TR_muted', source: 'MICROPHONE', muted: true },
        { sid: 'TR_two', type: 'AUDIO', source: 'MICROPHONE' },
        { sid: 'TR_shared', source: 'SCREEN_SHARE_AUDIO' },
      ]
      const found = { sid: 'PA_1', identity: 'p1', tracks }
      answerJson(200, method === 'GetParticipant' ? found : {})({} as ProviderCall, response)
    }
    await provider.media.muteMicrophone('room', 'p1')
    expect(calledWith('GetParticipant')).toEqual([{ room: 'room', identity: 'p1' }])
    expect(calledWith('MutePublishedTrack')).toEqual([
      { room: 'room', identity: 'p1', trackSid: 'TR_one', muted: true },
      { room: 'room', identity: 'p1', trackSid: 'TR_two', muted: true },
    ])
  })

  test('does nothing to a person who publishes none, or is gone', async () => {
    provider.answer = answerJson(200, { sid: 'PA_1', identity: 'p1' })
    await provider.media.muteMicrophone('room', 'p1')
    provider.answer = answerJson(404, { code: 'not_found', msg: 'participant does not exist' })
    await provider.media.muteMicrophone('room', 'p1')
    expect(provider.calls.map(({ method }) => method)).toEqual(['GetParticipant', 'GetParticipant'])
  })
})

describe('rights', () => {
  test('replace the rights of the token, and leave hidden people hidden', async () => {
    provider.answer = answerJson(200, { sid: 'PA_1', identity: 'p1' })
    const [open, closed] = [ALL_RIGHTS, { mayPublish: false, mayReceive: false }]
    const who = { identity: 'p1', role: 'panelist', rights: open } as const
    await provider.media.updateRights('room', who)
    await provider.media.updateRights('room', { ...who, rights: closed })
    await provider.media.updateRights('room', { ...who, role: 'observer', rights: open })
    expect(calledWith('UpdateParticipant')).toEqual([
      {
        room: 'room',
        identity: 'p1',
        permission: {
          canSubscribe: true,
          canPublish: true,
          canPublishSources: ['CAMERA', 'MICROPHONE'],
        },
      },
      { room: 'room', identity: 'p1', permission: {} },
      { room: 'room', identity: 'p1', permission: { canSubscribe: true, hidden: true } },
    ])
    expect(provider.calls[0]?.grants).toEqual({ roomAdmin: true, room: 'room' })
  })

  test('of a panelist include the screen if a moderator allows it, and are read back', async () => {
    provider.answer = answerJson(200, { sid: 'PA_1', identity: 'p1' })
    const rights = { ...ALL_RIGHTS, mayShareScreen: true } as const
    await provider.media.updateRights('room', { identity: 'p1', role: 'panelist', rights })
    const sources = ['CAMERA', 'MICROPHONE', 'SCREEN_SHARE', 'SCREEN_SHARE_AUDIO']
    expect(calledWith('UpdateParticipant')).toMatchObject([
      { permission: { canPublish: true, canPublishSources: sources } },
    ])
    const permission = { canPublish: true, canSubscribe: true, canPublishSources: sources }
    provider.answer = answerJson(200, {
      participants: [{ sid: 'PA_1', identity: 'p1', state: 'ACTIVE', permission }],
    })
    const [connection] = (await provider.media.listConnections('room')) ?? []
    expect(connection?.rights).toEqual(rights)
  })

  test('of a person who is gone do not exist', async () => {
    provider.answer = answerJson(404, { code: 'not_found', msg: 'participant does not exist' })
    const who = { identity: 'p1', role: 'panelist', rights: ALL_RIGHTS } as const
    await provider.media.updateRights('room', who)
    expect(calledWith('UpdateParticipant')).toHaveLength(1)
  })
})

describe('a provider that fails', () => {
  const everyCall: readonly [string, () => Promise<unknown>][] = [
    ['ensureRoom', () => provider.media.ensureRoom(spec)],
    ['deleteRoom', () => provider.media.deleteRoom('room')],
    ['listRooms', () => provider.media.listRooms(['room'])],
    ['listConnections', () => provider.media.listConnections('room')],
    ['removeConnection', () => provider.media.removeConnection('room', 'p1')],
    ['muteMicrophone', () => provider.media.muteMicrophone('room', 'p1')],
    [
      'updateRights',
      () =>
        provider.media.updateRights('room', {
          identity: 'p1',
          role: 'observer',
          rights: ALL_RIGHTS,
        }),
    ],
    ['check', () => provider.media.check()],
  ]

  test.each(everyCall)('by refusing us makes %s throw a MediaError', async (_name, call) => {
    provider.answer = answerJson(401, { code: 'unauthenticated', msg: 'invalid token: eyJ' })
    await expect(call()).rejects.toThrow(MediaError)
  })

  test.each(everyCall)(
    'by an address of no API makes %s throw a MediaError',
    async (_name, call) => {
      provider.answer = answerJson(404, { code: 'bad_route', msg: 'no handler' })
      await expect(call()).rejects.toThrow(MediaError)
    },
  )

  test.each(everyCall)(
    'by a dropped connection makes %s throw a MediaError',
    async (_name, call) => {
      provider.answer = (_call, response) => response.destroy()
      await expect(call()).rejects.toThrow(MediaError)
    },
  )

  test.each([
    ['HTML', '<html>hello</html>'],
    ['another shape', '{"sid":{"a":1}}'],
    ['nothing', ''],
  ])('by answering %s throws a MediaError', async (_name, body) => {
    provider.answer = (_call, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    await expect(provider.media.ensureRoom(spec)).rejects.toThrow(MediaError)
  })

  test('is not quoted: its refusals hold our token', async () => {
    provider.answer = answerJson(401, { code: 'unauthenticated', msg: 'invalid token: eyJsecret' })
    const error = await provider.media.check().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(MediaError)
    expect((error as Error).message).toBe('could not reach the provider: unauthenticated 401')
    expect(error).toMatchObject({ isUnauthorized: true })
    provider.answer = answerJson(503, { code: 'unavailable', msg: '' })
    await expect(provider.media.check()).rejects.toMatchObject({ isUnauthorized: false })
    expect((error as Error).cause).toBeUndefined()
  })

  test('by silence is given up after 3 seconds', async () => {
    provider.answer = () => {}
    const startMs = performance.now()
    await expect(provider.media.check()).rejects.toThrow(MediaError)
    expect(performance.now() - startMs).toBeGreaterThan(2_900)
    expect(LIVEKIT_TIMEOUTS).toEqual({ roomsSec: 3, egressSec: 8 })
  })

  test('by stopping in the middle of its answer is given up after the same time', async () => {
    provider.answer = (_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"sid":')
    }
    const hasty = provider.adapterWith({ ...LIVEKIT_TIMEOUTS, roomsSec: 0.1 })
    await expect(hasty.ensureRoom(spec)).rejects.toThrow(MediaError)
  })
})

function tokenOf(role: (typeof ROLES)[number], rights = ALL_RIGHTS) {
  return provider.media.signToken({
    mediaRoom: 'room',
    identity: 'p1',
    displayName: '山田 太郎',
    role,
    rights,
    lifeSec: 600,
  })
}

async function grantOf(role: (typeof ROLES)[number], rights = ALL_RIGHTS) {
  return new TokenVerifier(API_KEY, API_SECRET).verify(await tokenOf(role, rights))
}

describe('a service on a machine whose clock is wrong', () => {
  const NOW_SEC = 1_780_000_000

  test('signs calls and media tokens by its own time, which is that of the database', async () => {
    provider.clock = () => new Date(NOW_SEC * 1000)
    await provider.media.listConnections('room')
    const call = provider.claims[0]
    expect(call).toMatchObject({ nbf: NOW_SEC, exp: NOW_SEC + 600 })
    const joining = decodeJwt(await tokenOf('panelist'))
    expect(joining).toMatchObject({ nbf: NOW_SEC, exp: NOW_SEC + 600 })
    expect(joining.iat).toBeCloseTo(NOW_SEC, 1)
  })
})

describe('a media token', () => {
  test.each([
    ['moderator', ['camera', 'microphone', 'screen_share', 'screen_share_audio']],
    ['panelist', ['camera', 'microphone']],
  ] as const)('lets a %s be seen and publish %j', async (role, sources) => {
    const { video, kind } = await grantOf(role)
    expect(video).toMatchObject({ canPublish: true, canPublishSources: sources, hidden: false })
    expect(kind).toBeUndefined()
  })

  test('lets a panelist share the screen if a moderator allows it', async () => {
    const { video } = await grantOf('panelist', { ...ALL_RIGHTS, mayShareScreen: true })
    const sources = ['camera', 'microphone', 'screen_share', 'screen_share_audio']
    expect(video).toMatchObject({ canPublishSources: sources })
  })

  test.each([
    ['moderator', true],
    ['panelist', false],
    ['observer', false],
    ['platform_observer', false],
  ] as const)('and a change of rights let a %s send data: %s', async (role, canSend) => {
    const { video } = await grantOf(role)
    expect(video).toMatchObject({ canPublishData: canSend })
    expect(permissionOf({ role, rights: ALL_RIGHTS }).canPublishData).toBe(canSend)
  })

  // contract: enterRoom › The media token gives no more than consent allows
  test('allows neither publishing nor receiving without consent', async () => {
    const none = { mayPublish: false, mayReceive: false }
    for (const role of ['panelist', 'observer'] as const) {
      const { video } = await grantOf(role, none)
      expect(video).toMatchObject({ canPublish: false, canPublishSources: [], canSubscribe: false })
    }
  })

  // contract: enterRoom › The provider hides observers and operators, too
  test.each(['observer', 'platform_observer'] as const)(
    'hides an %s, whom no number counts and who publishes nothing',
    async (role) => {
      const { video, kind } = await grantOf(role)
      expect(video).toMatchObject({ canPublish: false, hidden: true })
      expect(video).not.toHaveProperty('agent')
      expect(kind).toBe('agent')
    },
  )

  test.each(ROLES)('lets a %s join this room only, and hear and see all', async (role) => {
    const claims = await grantOf(role)
    expect(claims.video).toMatchObject({
      roomJoin: true,
      room: 'room',
      canSubscribe: true,
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
  })
})
