import {
  AccessToken,
  DataPacket_Kind,
  RoomServiceClient,
  TwirpError,
  type VideoGrant,
} from 'livekit-server-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectRtcClient, type RtcClient } from '../test/support/rtc-client.ts'
import { openWebhookInbox, type WebhookInbox } from '../test/support/webhook-inbox.ts'
import { type MediaServer, startMediaServer } from './server.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const WAIT = { timeout: 60_000, interval: 50 }
const TEST_TIMEOUT_MS = 240_000

let server: MediaServer
let inbox: WebhookInbox
let api: RoomServiceClient
let roomName = ''
let roomCount = 0
const clients: RtcClient[] = []

beforeAll(async () => {
  inbox = await openWebhookInbox(KEY, SECRET)
  server = await startMediaServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [KEY]: SECRET },
    webhook: { urls: [inbox.url], apiKey: KEY },
  })
  api = new RoomServiceClient(server.url, KEY, SECRET)
})

beforeEach(async () => {
  roomName = `room-${++roomCount}`
  await api.createRoom({ name: roomName, metadata: 'about' })
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.leave()))
})

afterAll(async () => {
  await server.close()
  inbox.close()
})

async function enter(identity: string, grant: VideoGrant = {}): Promise<RtcClient> {
  const token = new AccessToken(KEY, SECRET, { identity, name: identity.toUpperCase() })
  token.addGrant({ roomJoin: true, room: roomName, ...grant })
  const client = await connectRtcClient(server.url, await token.toJwt())
  clients.push(client)
  return client
}

/** Names of the events of the present room, with whom they are about. */
function received(): string[] {
  return inbox.events
    .filter(({ room }) => room?.name === roomName)
    .map(({ event, participant }) => `${event} ${participant?.identity ?? ''}`.trim())
}

const identities = (client: RtcClient) => [...client.room.remoteParticipants.keys()]

describe('a room with two participants', () => {
  test(
    'carries video, audio and data from one to the other',
    async () => {
      const alice = await enter('alice')
      const bob = await enter('bob')
      await alice.publish()
      await vi.waitFor(() => expect(bob.videoFrames).toBeGreaterThan(5), WAIT)
      await vi.waitFor(() => expect(bob.audioFrames).toBeGreaterThan(20), WAIT)

      const hello = new TextEncoder().encode('hello')
      await bob.room.localParticipant?.publishData(hello, { reliable: true, topic: 'greeting' })
      const fromBob = { topic: 'greeting', text: 'hello', from: 'bob' }
      await vi.waitFor(() => expect(alice.data).toEqual([fromBob]), WAIT)
      expect(bob.data).toEqual([])
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'receives data of the server, each only its own, also right after joining',
    async () => {
      const alice = await enter('alice')
      const bob = await enter('bob')
      const options = { destinationIdentities: ['bob', 'nobody'], topic: 'notice' }
      await api.sendData(
        roomName,
        new TextEncoder().encode('for bob'),
        DataPacket_Kind.RELIABLE,
        options,
      )
      await api.sendData(roomName, new TextEncoder().encode('for all'), DataPacket_Kind.RELIABLE, {
        topic: 'notice',
      })

      const all = { topic: 'notice', text: 'for all', from: undefined }
      const own = { topic: 'notice', text: 'for bob', from: undefined }
      await vi.waitFor(() => expect(bob.data).toEqual([own, all]), WAIT)
      await vi.waitFor(() => expect(alice.data).toEqual([all]), WAIT)
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'sends its webhooks in order: room, participant, track',
    async () => {
      const alice = await enter('alice')
      await alice.publish()
      await vi.waitFor(() => expect(received()).toHaveLength(4), WAIT)
      await alice.leave()

      await vi.waitFor(() => expect(received()).toHaveLength(7), WAIT)
      expect(received()).toEqual([
        'room_started',
        'participant_joined alice',
        'track_published alice',
        'track_published alice',
        'track_unpublished alice',
        'track_unpublished alice',
        'participant_left alice',
      ])
      await api.deleteRoom(roomName)
      await vi.waitFor(() => expect(received().at(-1)).toBe('room_finished'), WAIT)
    },
    TEST_TIMEOUT_MS,
  )
})

describe('a hidden participant', () => {
  test(
    'receives media, is listed to the server and is unknown to the others',
    async () => {
      const alice = await enter('alice')
      await alice.publish()
      const observer = await enter('observer', { hidden: true, canPublish: false })
      await vi.waitFor(() => expect(observer.videoFrames).toBeGreaterThan(5), WAIT)

      const bob = await enter('bob')
      await vi.waitFor(() => expect(identities(alice)).toEqual(['bob']), WAIT)
      expect(identities(bob)).toEqual(['alice'])
      const listed = await api.listParticipants(roomName)
      expect(listed.map(({ identity }) => identity)).toEqual(['alice', 'observer', 'bob'])
    },
    TEST_TIMEOUT_MS,
  )
})

describe('the room service', () => {
  test(
    'removes a participant for the others, too',
    async () => {
      const alice = await enter('alice')
      const bob = await enter('bob')
      await vi.waitFor(() => expect(identities(alice)).toEqual(['bob']), WAIT)

      await api.removeParticipant(roomName, 'bob')

      await vi.waitFor(() => expect(bob.room.isConnected).toBe(false), WAIT)
      await vi.waitFor(() => expect(identities(alice)).toEqual([]), WAIT)
      await expect(api.getParticipant(roomName, 'bob')).rejects.toMatchObject({ code: 'not_found' })
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'unpublishes what a participant may no longer publish',
    async () => {
      const alice = await enter('alice')
      await alice.publish()
      await vi.waitFor(() => expect(received()).toContain('track_published alice'), WAIT)

      const permission = { canSubscribe: true, canPublish: false, canPublishData: false }
      const changed = await api.updateParticipant(roomName, 'alice', { permission })

      expect(changed).toMatchObject({ tracks: [], permission: { canPublish: false } })
      await vi.waitFor(() => expect(received()).toContain('track_unpublished alice'), WAIT)
    },
    TEST_TIMEOUT_MS,
  )

  test('answers a repeated creation with the same room and its first settings', async () => {
    const again = await api.createRoom({ name: roomName, emptyTimeout: 77 })
    const [room] = await api.listRooms([roomName])
    expect(again.sid).toBe(room?.sid)
    expect(room).toMatchObject({ emptyTimeout: 300, metadata: 'about', departureTimeout: 20 })
  })

  test('refuses a wrong secret, an absent room and an absent participant', async () => {
    const stranger = new RoomServiceClient(server.url, KEY, 'another-secret')
    await expect(stranger.listRooms()).rejects.toMatchObject({ status: 401 })
    await expect(api.deleteRoom('nowhere')).rejects.toBeInstanceOf(TwirpError)
    await expect(api.deleteRoom('nowhere')).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
    })
    const absent = api.removeParticipant(roomName, 'nobody')
    await expect(absent).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a join does not create an absent room', async () => {
  const token = new AccessToken(KEY, SECRET, { identity: 'alice' })
  token.addGrant({ roomJoin: true, room: 'nowhere' })
  const query = new URLSearchParams({ access_token: await token.toJwt() })
  const response = await fetch(`${server.url}/rtc/validate?${query}`)
  expect(response.status).toBe(404)
  expect(await response.text()).toBe('requested room does not exist')
})
