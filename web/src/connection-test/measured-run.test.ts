import { describe, expect, test } from 'vitest'
import type { Ending } from '../connection/media-room.ts'
import {
  ConnectionProblem,
  type VideoRequest,
  type TestConnection,
} from '../connection/test-connection.ts'
import type { StatsEntry } from '../measurement/read-stats.ts'
import { measure, type RunResult } from './measured-run.ts'
import { planOf, RUN_MAX_MS, SILENCE_MAX_MS, type Step } from './plan.ts'

const ACCESS = { url: 'wss://media', publisher_token: 'p', subscriber_token: 's' }
const TRACK = {} as MediaStreamTrack
const OWN = { id: 'own' } as unknown as MediaStreamTrack

interface World {
  /** Seconds of ordinary load that the service wants to be counted. */
  countedSec: number
  /** Bandwidth of the connection. */
  connectionKbps: number
  connect: () => Promise<void>
  /** True if media is flowing at this moment of the run. */
  isUp: (atMs: number) => boolean
  ending: (atMs: number) => Ending | null
  /** Milliseconds of the TCP measurement; null if TCP is not offered. */
  receiveByTcp: () => Promise<number | null>
  stepMs: number
  displacedAtMs: number
}

const FINE: World = {
  countedSec: 15,
  connectionKbps: 900,
  connect: async () => {},
  isUp: () => true,
  ending: () => null,
  receiveByTcp: async () => null,
  stepMs: 500,
  displacedAtMs: Infinity,
}

/** Runs a measurement on a clock that only the run itself advances. */
async function run(change: Partial<World> = {}) {
  const world = { ...FINE, ...change }
  let nowMs = 0
  const counted = { packets: 0, bytes: 0, videoBytes: 0, filledBytes: 0 }
  const pictures: VideoRequest[] = []
  let filling = 0
  const voices: MediaStreamTrack[] = []
  const progress: { step: Step; share: number }[] = []
  const cut = new AbortController()
  let isClosed = false

  const line: TestConnection = {
    connect: async () => {
      await world.connect()
      return { signalingMs: 50, mediaMs: 200 }
    },
    fillWith: async (sounds) => {
      filling = sounds.length
    },
    sendVideo: async (wish) => void pictures.push(wish),
    replaceVoice: async (track) => void voices.push(track),
    receiveByTcp: async () => world.receiveByTcp(),
    stats: async () => {
      const filled = { packets: counted.packets, bytes: counted.filledBytes }
      return {
        sending: entries('outbound-rtp', counted),
        receiving: entries('inbound-rtp', counted),
        filling: {
          sending: filling === 0 ? [] : entries('outbound-rtp', filled),
          receiving: filling === 0 ? [] : entries('inbound-rtp', filled),
        },
      }
    },
    ending: () => world.ending(nowMs),
    close: async () => {
      isClosed = true
    },
  }
  const wait = async (ms: number) => {
    const stepMs = Math.max(ms, world.stepMs)
    nowMs += stepMs
    if (nowMs > RUN_MAX_MS) cut.abort(new DOMException('late', 'TimeoutError'))
    if (nowMs > world.displacedAtMs) cut.abort()
    if (!world.isUp(nowMs)) return
    counted.packets += stepMs / 20
    counted.bytes += stepMs * 5
    if (filling > 0) counted.filledBytes += (stepMs * world.connectionKbps) / 8
    const wishedKbps = (pictures.at(-1)?.bitrateMaxBps ?? 0) / 1000
    counted.videoBytes += (stepMs * Math.min(world.connectionKbps, wishedKbps)) / 8
  }
  const result = await measure(
    {
      line,
      media: {
        voice: TRACK,
        ownVoice: OWN,
        filling: [TRACK, TRACK],
        ordinary: (kbps) => ({ track: TRACK, bitrateMaxBps: (kbps ?? 0) * 800, frameRate: 15 }),
      },
      plan: planOf(world.countedSec),
      cut: cut.signal,
      nowMs: () => nowMs,
      wait,
      onProgress: (step, share) => void progress.push({ step, share }),
    },
    ACCESS,
  )
  return { result, pictures, voices, progress, isClosed, lengthMs: nowMs }
}

function entries(
  type: 'outbound-rtp' | 'inbound-rtp',
  { packets, bytes, videoBytes }: { packets: number; bytes: number; videoBytes?: number },
): StatsEntry[] {
  const names =
    type === 'outbound-rtp' ? ['bytesSent', 'packetsSent'] : ['bytesReceived', 'packetsReceived']
  const [bytesName = '', packetsName = ''] = names
  const all = { type, [packetsName]: packets, packetsLost: 0 }
  const audio = { ...all, id: 'a', kind: 'audio', [bytesName]: bytes }
  return videoBytes === undefined
    ? [audio]
    : [audio, { ...all, id: 'v', kind: 'video', [bytesName]: videoBytes }]
}

function reasonOf(result: RunResult): string {
  return result.status === 'failed' ? result.reason : result.status
}

describe('a measured run', () => {
  test('counts at least 15 seconds of ordinary load after it has filled the connection', async () => {
    const { result, pictures, voices, lengthMs, isClosed } = await run()
    expect(result).toMatchObject({
      status: 'completed',
      baseline: { signaling: { connected: true, connect_ms: 50 }, media: { connect_ms: 200 } },
    })
    if (result.status !== 'completed') return
    expect(result.measuredSec).toBeGreaterThanOrEqual(15)
    expect(result.capacityKbps).toBe(1010)
    expect(result.load.available_outgoing_kbps).toBe(1010)
    expect(result.load.uplink.video?.bitrate_kbps).toBeCloseTo(0.8 * 1010, 0)
    expect(pictures).toMatchObject([{ bitrateMaxBps: 800 * (result.capacityKbps ?? 0) }])
    expect(voices).toEqual([OWN])
    expect(lengthMs).toBeLessThan(35_000)
    expect(isClosed).toBe(true)
  })

  test('counts for as long as the service requests, and still ends', async () => {
    const { result, progress, lengthMs } = await run({ countedSec: 3 })
    const countedSec = result.status === 'completed' ? result.measuredSec : 0
    expect(countedSec).toBeGreaterThanOrEqual(3)
    expect(countedSec).toBeLessThan(5)
    expect(lengthMs).toBeLessThan(20_000)
    const whole = await run()
    expect(progress.at(-1)?.share).toBeGreaterThan(0.7)
    expect(whole.lengthMs - lengthMs).toBe(12_000)
  })

  test('shows a progress that only increases, from 0 to 1', async () => {
    const { progress } = await run({ receiveByTcp: async () => 600 })
    const shares = progress.map(({ share }) => share)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect([shares[0], shares.at(-1)]).toEqual([0, 1])
    expect(new Set(progress.map(({ step }) => step)).size).toBe(6)
  })

  test('reports how media arrives over TCP if it is offered besides UDP', async () => {
    const { result } = await run({ receiveByTcp: async () => 612.4 })
    expect(result).toMatchObject({
      status: 'completed',
      load: {
        downlink_tcp: {
          connected: true,
          connect_ms: 612,
          audio: { bitrate_kbps: 40, packet_loss_ratio: 0 },
        },
      },
    })
  })

  test('reports nothing about TCP if it is not offered', async () => {
    const { result } = await run()
    expect(result).toMatchObject({ status: 'completed', load: { downlink_tcp: null } })
  })

  test.each<[string, Partial<World>]>([
    [
      'nothing comes over TCP',
      { receiveByTcp: async () => Promise.reject(new ConnectionProblem('media_failed', null)) },
    ],
    [
      'the connection drops on it',
      { receiveByTcp: async () => 600, ending: (atMs) => (atMs > 27_000 ? 'dropped' : null) },
    ],
  ])('is completed when %s, and reports it', async (_what, world) => {
    const { result } = await run(world)
    expect(result).toMatchObject({
      status: 'completed',
      load: { downlink_tcp: { connected: false, connect_ms: null, audio: null, video: null } },
    })
    expect(result).toHaveProperty('measuredSec', expect.any(Number))
    expect((result as { measuredSec: number }).measuredSec).toBeGreaterThanOrEqual(15)
  })

  test.each<[Ending, RunResult['status']]>([
    ['closed', 'ended'],
    ['elsewhere', 'displaced'],
  ])('that is %s during the TCP measurement has no result', async (how, status) => {
    let isTrying = false
    const { result } = await run({
      receiveByTcp: async () => {
        isTrying = true
        throw new ConnectionProblem('media_failed', null)
      },
      ending: () => (isTrying ? how : null),
    })
    expect(result).toEqual({ status })
  })

  test('continues when media returns in time, and does not count the silence', async () => {
    const { result, lengthMs } = await run({
      isUp: (atMs) => atMs < 15_000 || atMs > 15_000 + SILENCE_MAX_MS - 1_000,
    })
    expect(result).toMatchObject({ status: 'completed' })
    expect(lengthMs).toBeGreaterThan(33_000)
  })

  test.each([
    [
      'the service is not reached',
      { connect: async () => Promise.reject(new ConnectionProblem('signaling_failed', null)) },
      'signaling_failed',
    ],
    [
      'media do not get through',
      { connect: async () => Promise.reject(new ConnectionProblem('media_failed', 80)) },
      'media_failed',
    ],
    [
      'media are lost and do not come back',
      { isUp: (atMs: number) => atMs < 12_000 },
      'media_failed',
    ],
    [
      'the connection drops',
      { ending: (atMs: number) => (atMs > 9_000 ? ('dropped' as const) : null) },
      'media_failed',
    ],
    ['every sample takes too long', { stepMs: RUN_MAX_MS / 4, connectionKbps: 0.001 }, 'timed_out'],
    [
      'something unforeseen happens',
      { connect: async () => Promise.reject(new Error('?')) },
      'internal',
    ],
    ['another page of this browser continues', { displacedAtMs: 5_000 }, 'displaced'],
    ['another page continues', { ending: () => 'elsewhere' as const }, 'displaced'],
    ['the room is closed', { ending: () => 'closed' as const }, 'ended'],
  ])('ends with its reason when %s', async (_what, world: Partial<World>, reason) => {
    const { result, isClosed } = await run(world)
    expect(reasonOf(result)).toBe(reason)
    expect(isClosed).toBe(true)
  })

  test('that fails without media reports that signalling worked', async () => {
    const { result } = await run({
      connect: async () => Promise.reject(new ConnectionProblem('media_failed', 80)),
    })
    expect(result).toMatchObject({
      baseline: { signaling: { connected: true, connect_ms: 80 }, media: { connected: false } },
    })
  })
})
