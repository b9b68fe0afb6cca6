import { spawn } from 'node:child_process'
import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { startMediaServer } from '@interview-room/media-server/src/server.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../local/lib/ports.ts'
import { buildGoTool, HAS_GO } from '../../../testing/go-tools.ts'
import { IS_FULL_RUN } from '../../../testing/scope.ts'
import { opusPackets } from '../../../testing/spoken-capture.ts'
import { hearCounter, tonesOf } from '../../../testing/spoken-counter.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { systemClock } from '../../lib/clock.ts'
import { ALL_RIGHTS, type HeardSound, type Media, MediaError } from '../../ports/media.ts'
import { createListeners } from './listeners.ts'
import { createLivekitMedia } from './livekit-media.ts'

const KEY = { apiKey: 'key', apiSecret: 'a-secret-of-at-least-thirty-two-characters' }
const CONNECT_MS = 15_000
const BUILD_MS = 45 * 60_000
const WAIT_MS = 60_000
const SECOND = 16_000

const HOST = '127.0.0.1'
const LIVEKIT = { program: 'github.com/livekit/livekit-server/cmd/server', version: 'v1.13.5' }

interface Started {
  url: string
  close(): unknown
}

async function startEmbedded(): Promise<Started> {
  return startMediaServer({ host: HOST, port: 0, apiKeys: { [KEY.apiKey]: KEY.apiSecret } })
}

async function startLivekit(): Promise<Started> {
  const program = await buildGoTool(LIVEKIT.program, LIVEKIT.version)
  const [port, tcp] = [await freePort(HOST), await freePort(HOST)]
  const config = {
    port,
    bind_addresses: [HOST],
    keys: { [KEY.apiKey]: KEY.apiSecret },
    rtc: { node_ip: HOST, use_external_ip: false, tcp_port: tcp },
    room: { auto_create: false },
  }
  const child = spawn(program, ['--config-body', JSON.stringify(config)], { stdio: 'ignore' })
  const url = `http://${HOST}:${port}`
  await waitFor(async () => (await fetch(url).catch(() => undefined))?.ok === true)
  return { url, close: () => child.kill('SIGKILL') }
}

const SERVERS = [
  ['the embedded media server', startEmbedded],
  ...(IS_FULL_RUN && HAS_GO ? ([['livekit-server', startLivekit]] as const) : []),
] as const

let server: Started
let media: Media
/** One second with a number in it. */
let number: Buffer[]
beforeAll(async () => {
  const said = tonesOf('4711')
  number = await opusPackets(Buffer.concat([said, Buffer.alloc(2 * SECOND - said.length)]))
})

function adapterOf({ url }: Started): Media {
  return createLivekitMedia({
    ...KEY,
    apiUrl: url,
    egressUrls: [url],
    drainedEgressUrls: [],
    publicUrl: url,
    inspectorUrl: undefined,
    masksArrivals: false,
    clock: systemClock,
  })
}

async function enter(mediaRoom: string, identity: string): Promise<TestClient> {
  const grant = { mediaRoom, identity, displayName: identity, lifeSec: 120 }
  const token = await media.signToken({ ...grant, role: 'panelist', rights: ALL_RIGHTS })
  const client = new TestClient(server.url, token, { opus: number })
  onTestFinished(() => client.leave())
  await client.join(CONNECT_MS)
  await client.publish(CONNECT_MS)
  return client
}

/** Listens until the test ends. */
function listen(mediaRoom: string) {
  const sounds: HeardSound[] = []
  const over = new AbortController()
  const ended = media.listen(mediaRoom, (sound) => sounds.push(sound), over.signal)
  ended.catch(() => {})
  onTestFinished(() => over.abort(new Error('over')))
  const soundOf = (identity: string): Int16Array => {
    const own = sounds.filter((sound) => sound.identity === identity)
    return Int16Array.from(own.flatMap(({ pcm }) => [...pcm]))
  }
  const hears = (identity: string, seconds: number) =>
    waitFor(() => soundOf(identity).length >= seconds * SECOND, WAIT_MS)
  return { over, ended, sounds, soundOf, hears }
}

const newRoom = (name: string) => media.ensureRoom({ name, emptyTimeoutSec: 2, metadata: {} })

describe.each(SERVERS)('a listener in a media room of %s', (_name, start) => {
  beforeAll(async () => {
    server = await start()
    media = adapterOf(server)
  }, BUILD_MS)
  afterAll(() => server.close())

  test('hears what each person says, at 16 kHz, and is in no list', async () => {
    await newRoom('heard')
    const ann = await enter('heard', 'ann')
    const { hears, soundOf } = listen('heard')
    const bob = await enter('heard', 'bob')
    await Promise.all([hears('ann', 3), hears('bob', 3)])
    for (const identity of ['ann', 'bob']) {
      expect(hearCounter(soundOf(identity)).map(({ text }) => text)).toContain(' 4711')
    }
    const connections = await media.listConnections('heard')
    expect(connections?.map(({ identity }) => identity).toSorted()).toEqual(['ann', 'bob'])
    // livekit-server counts again every few seconds.
    await waitFor(async () => (await media.listRooms(['heard']))[0]?.connectionCount === 2, WAIT_MS)
    expect([ann.others, bob.others]).toEqual([['bob'], ['ann']])
  })

  test('hears nothing of a microphone that is muted', async () => {
    await newRoom('muted')
    const ann = await enter('muted', 'ann')
    const earlier = listen('muted')
    await earlier.hears('ann', 1)
    ann.mute(true)
    const later = listen('muted')
    await enter('muted', 'bob')
    await later.hears('bob', 1)
    expect(later.soundOf('ann')).toHaveLength(0)
    expect(earlier.soundOf('bob').length).toBeGreaterThan(0)
    ann.mute(false)
    await later.hears('ann', 1)
  })

  test('keeps no empty media room alive, and learns of its end', async () => {
    await newRoom('left')
    const ann = await enter('left', 'ann')
    const { hears, ended } = listen('left')
    await hears('ann', 1)
    await ann.leave()
    expect(await ended).toBe(true)
    expect(await media.listConnections('left')).toBeUndefined()
  })

  test('leaves when it is no longer wanted', async () => {
    await newRoom('over')
    await enter('over', 'ann')
    const { hears, over, ended, sounds } = listen('over')
    await hears('ann', 1)
    over.abort(new Error('enough'))
    const before = sounds.length
    await expect(ended).rejects.toThrow('enough')
    expect(sounds).toHaveLength(before)
  })

  test('learns that there is no such media room, and fails where nobody answers', async () => {
    const { signal } = new AbortController()
    expect(await media.listen('absent', () => {}, signal)).toBe(true)
    const nowhere = createListeners()
    const order = { url: 'http://127.0.0.1:9', token: 'none', hear: () => {} }
    await expect(nowhere(order, signal)).rejects.toThrow(MediaError)
  })
})
