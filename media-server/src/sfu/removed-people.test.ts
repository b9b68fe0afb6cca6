import { DisconnectReason } from '@livekit/protocol'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRawClient } from '../../test/support/raw-client.ts'
import { signClaims } from '../api/tokens.ts'
import { type MediaServer, startMediaServer } from '../server.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const LONG_BEFORE_A_MINUTE_MS = 20_000

let server: MediaServer
let api: RoomServiceClient
let roomName = ''
let roomCount = 0

beforeAll(async () => {
  const apiKeys = { [KEY]: SECRET }
  server = await startMediaServer({ host: '127.0.0.1', port: 0, apiKeys, joinTimeoutMs: 1500 })
  api = new RoomServiceClient(server.url, KEY, SECRET)
})

beforeEach(async () => {
  roomName = `room-${++roomCount}`
  await api.createRoom({ name: roomName })
})

afterAll(async () => server.close())

async function tokenOf(identity: string): Promise<string> {
  const token = new AccessToken(KEY, SECRET, { identity })
  token.addGrant({ roomJoin: true, room: roomName })
  return token.toJwt()
}

/** A token with the exact time of its issue, like the service's own. */
async function exactTokenOf(identity: string): Promise<string> {
  const described = { name: '', metadata: '', attributes: {}, kind: '' }
  const video = { roomJoin: true, room: roomName }
  return signClaims({ ...described, apiKey: KEY, identity, video }, { [KEY]: SECRET })
}

async function admission(token: string): Promise<number> {
  return (await fetch(`${server.url}/rtc/validate?access_token=${token}`)).status
}

describe('somebody who was removed', () => {
  test('does not come back with the same token, nor with one from the server', async () => {
    const token = await tokenOf('alice')
    const alice = await openRawClient(server.url, token)
    const { value: refreshed } = await alice.received('refreshToken')
    await api.removeParticipant(roomName, 'alice')
    expect((await alice.received('leave')).value.reason).toBe(DisconnectReason.PARTICIPANT_REMOVED)
    await alice.closed
    expect([await admission(token), await admission(refreshed)]).toEqual([401, 401])
    expect(await admission(await tokenOf('bob'))).toBe(200)
  })

  test('comes back immediately with a token that was issued later', async () => {
    const before = await exactTokenOf('alice')
    await openRawClient(server.url, await exactTokenOf('alice'))
    await api.removeParticipant(roomName, 'alice')
    expect(await admission(before)).toBe(401)
    const after = await exactTokenOf('alice')
    const again = await openRawClient(server.url, after)
    expect(await api.listParticipants(roomName)).toHaveLength(1)
    again.close()
  })

  test('does not come back with a token that was under way', async () => {
    const token = await exactTokenOf('alice')
    const removal = api.removeParticipant(roomName, 'alice')
    await expect(removal).rejects.toMatchObject({ code: 'not_found' })
    expect(await admission(token)).toBe(401)
  })
})

test(
  'a client whose media never connects is disconnected, and learns of nobody any more',
  async () => {
    const mallory = await openRawClient(server.url, await tokenOf('mallory'))
    expect((await mallory.received('leave')).value.reason).toBe(DisconnectReason.JOIN_FAILURE)
    await mallory.closed
    expect(await api.listParticipants(roomName)).toEqual([])
  },
  LONG_BEFORE_A_MINUTE_MS,
)
