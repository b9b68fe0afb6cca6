import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startMediaServer } from '../server.ts'
import { TestClient } from './test-client.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const ROOM = 'room'
const LIMIT_MS = 15_000
const WAIT = { timeout: 30_000, interval: 20 }

async function start() {
  const server = await startMediaServer({ host: '127.0.0.1', port: 0, apiKeys: { [KEY]: SECRET } })
  onTestFinished(() => server.close())
  return server.url
}

async function clientOf(url: string, identity: string, isBehindNat = false): Promise<TestClient> {
  const token = new AccessToken(KEY, SECRET, { identity })
  token.addGrant({ roomJoin: true, room: ROOM })
  const client = new TestClient(url, await token.toJwt(), { isBehindNat })
  onTestFinished(() => client.leave())
  return client
}

test('two clients, one of them behind a NAT, send each other pictures and sound', async () => {
  const url = await start()
  await new RoomServiceClient(url, KEY, SECRET).createRoom({ name: ROOM })
  const clients = [await clientOf(url, 'a'), await clientOf(url, 'b', true)]
  await Promise.all(clients.map((client) => client.join(LIMIT_MS)))
  await Promise.all(clients.map((client) => client.publish(LIMIT_MS)))
  for (const client of clients) {
    await vi.waitFor(() => {
      expect(client.received.audio).toBeGreaterThan(50)
      expect(client.received.video).toBeGreaterThan(10)
    }, WAIT)
    expect(client.offered.join()).toMatch(/udp \d+\.\d+\.\d+\.\d+:\d+/)
  }
})

test('rejects with the refusal of a room that does not exist', async () => {
  const client = await clientOf(await start(), 'a')
  await expect(client.join(LIMIT_MS)).rejects.toThrow('HTTP status 404')
})
