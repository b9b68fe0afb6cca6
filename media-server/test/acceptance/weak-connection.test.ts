import type { RoomConnectOptions } from 'livekit-client'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import type { MediaServer } from '../../src/server.ts'
import { startFaultyServer } from '../faulty-server/faulty-server.ts'
import type { BrowserClient } from './harness/browser-client.ts'
import { type ConnectionStats, connectionStats } from './harness/connection-stats.ts'
import { test as base } from './harness/fixtures.ts'
import { signToken } from './harness/tokens.ts'
import { until } from './harness/until.ts'

const KEYS = { apiKey: 'line', apiSecret: 'secret-of-the-server-with-lines' }
const ROOM = 'room'
const TEST_TIMEOUT_MS = 300_000
const WAIT_TIMEOUT_MS = 80_000
// Shares of fewer packets say too little.
const PACKETS_MIN = 400

/** Our own server, which can emulate the networks of its participants. */
const test = base.extend('network', async ({ open }, { onCleanup }) => {
  const server = await startFaultyServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [KEYS.apiKey]: KEYS.apiSecret },
  })
  onCleanup(() => server.close())
  await new RoomServiceClient(server.url, KEYS.apiKey, KEYS.apiSecret).createRoom({ name: ROOM })
  return {
    set: (network: object) =>
      callFaults(server, { method: 'POST', body: JSON.stringify({ line: network }) }),
    clear: () => callFaults(server, { method: 'DELETE' }),
    async join(identity: string, connect: RoomConnectOptions = {}): Promise<BrowserClient> {
      const client = await open()
      const token = await signToken(KEYS, { room: ROOM, identity })
      await client.run((page, entry) => page.join(entry), {
        url: server.url,
        token,
        options: { singlePeerConnection: false },
        connect,
      })
      return client
    },
  }
})

test.beforeEach(({ stage, skip }) => {
  skip(!stage.isEmbedded, 'only our own server emulates networks')
})

async function callFaults(server: MediaServer, request: RequestInit): Promise<void> {
  const token = new AccessToken(KEYS.apiKey, KEYS.apiSecret)
  token.addGrant({ roomRecord: true })
  const headers = { Authorization: `Bearer ${await token.toJwt()}` }
  const response = await fetch(`${server.url}/faults`, { ...request, headers })
  expect(response.status).toBe(200)
}

describe('an emulated network', () => {
  test(
    'shows in the statistics of a browser: round trip and loss, in both directions',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async ({ network }) => {
      await network.set({ lossRatio: 0.05, delayMs: 100 })
      const bob = await network.join('bob')
      const alice = await network.join('alice')
      await alice.run(async ({ room, createTone, createCanvasTrack }) => {
        await room.localParticipant.publishTrack(createTone(), { dtx: false, red: false })
        const { track } = createCanvasTrack('rgb(0, 128, 0)')
        await room.localParticipant.publishTrack(track, { simulcast: false })
      })

      const upLoss = await reported(alice, { side: 'publisher', expected: 0.05 })
      // Packets lost on the way up are missing on the way down, too: sound is not sent again.
      await reported(bob, { side: 'subscriber', expected: 1 - (1 - upLoss) * 0.95 })
    },
  )

  test(
    'is filled by a sender with more to send, but not overfilled',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async ({ network }) => {
      await network.set({ kbps: 800, delayMs: 30 })
      const bob = await network.join('bob')
      const alice = await network.join('alice')
      await alice.run(async ({ room, createNoiseTrack }) => {
        const videoEncoding = { maxBitrate: 3_000_000, maxFramerate: 20 }
        await room.localParticipant.publishTrack(createNoiseTrack(), {
          simulcast: false,
          videoEncoding,
        })
      })

      await bob.until('the picture of alice', ({ hasRemote }) => hasRemote('alice', 'unknown'))
      await until({
        fact: 'the estimate of the browser is within a quarter of the rate, and the video fills it',
        read: () => alice.run(connectionStats, 'publisher' as const),
        holds: ({ availableKbps, videoKbps }) =>
          availableKbps > 600 && availableKbps < 1000 && videoKbps > 450 && videoKbps < 1000,
        timeoutMs: WAIT_TIMEOUT_MS,
      })
    },
  )

  test(
    'that carries less than is sent carries audio alone, and video again when it can',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async ({ network }) => {
      const bob = await network.join('bob', { subscriberAllowPause: true })
      const alice = await network.join('alice')
      await alice.run(async ({ room, livekit, createTone, createNoiseTrack }) => {
        const { Camera, Microphone } = livekit.Track.Source
        const sound = { source: Microphone, dtx: false, red: false }
        await room.localParticipant.publishTrack(createTone(), sound)
        const videoEncoding = { maxBitrate: 800_000, maxFramerate: 20 }
        const picture = { source: Camera, simulcast: false, videoEncoding }
        await room.localParticipant.publishTrack(createNoiseTrack(), picture)
      })
      await bob.showsFrames('alice')

      await network.set({ identity: 'bob', kbps: 150, delayMs: 30 })
      await bob.sees('streamState alice paused')
      await until({
        fact: 'all of the voice arrives, two in a hundred excepted',
        read: () => voiceLossNow(bob),
        holds: (loss) => loss < 0.02,
      })

      await network.set({ identity: 'bob' })
      await bob.sees('streamState alice active')
      await bob.showsFrames('alice')
    },
  )

  test(
    'lets nobody join while it is blocked',
    { timeout: TEST_TIMEOUT_MS },
    async ({ network }) => {
      await network.set({ identity: 'alice', blocked: true })
      await expect(network.join('alice')).rejects.toThrow('could not establish pc connection')
      await network.clear()
      const alice = await network.join('alice')
      expect(await alice.run(({ room }) => room.state)).toBe('connected')
    },
  )
})

/** Waits for the round trip of 200 ms to a fifth, and for the loss to two in a hundred. */
async function reported(
  client: BrowserClient,
  { side, expected }: { side: 'publisher' | 'subscriber'; expected: number },
): Promise<number> {
  const stats = await until({
    fact: `200 ms and a loss of ${expected} on the network of the ${side}`,
    read: () => client.run(connectionStats, side),
    holds: (now) =>
      now.audio.packets > PACKETS_MIN &&
      Math.abs(lossOf(now) - expected) < 0.02 &&
      now.roundTripSec >= 0.2 &&
      now.roundTripSec < 0.24,
    timeoutMs: WAIT_TIMEOUT_MS,
  })
  return lossOf(stats)
}

/** The loss of the next 200 packets of sound. */
async function voiceLossNow(client: BrowserClient): Promise<number> {
  const read = (): Promise<ConnectionStats> => client.run(connectionStats, 'subscriber' as const)
  const before = (await read()).audio
  const after = await until({
    fact: '200 more packets of sound',
    read,
    holds: ({ audio }) => audio.packets - before.packets > 200,
  })
  return (after.audio.lost - before.lost) / (after.audio.packets - before.packets)
}

function lossOf({ audio }: ConnectionStats): number {
  return audio.lost / audio.packets
}
