import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { captureBeside, unpackCapture } from '@interview-room/composer/capture/capture-archive.ts'
import {
  type CaptureEvent,
  readCaptureEvents,
} from '@interview-room/composer/capture/capture-events.ts'
import {
  AccessToken,
  EgressClient,
  EgressStatus,
  EncodedFileOutput,
  RoomServiceClient,
  S3Upload,
} from 'livekit-server-sdk'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { startS3Inbox } from '../../test/acceptance/harness/s3-inbox.ts'
import { connectRtcClient, type RtcClient } from '../../test/support/rtc-client.ts'
import { openWebhookInbox, type WebhookInbox } from '../../test/support/webhook-inbox.ts'
import { listen } from '../api/http.ts'
import type { DeliveryReport } from '../egress/delivery-progress.ts'
import type { LogEntry } from '../lib/log.ts'
import { type MediaServer, startMediaServer } from '../server.ts'
import { type Recorder, startRecorder } from './recorder.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
/** So long nothing may come though the server is there. */
const STUN_INTERVAL_MAX_MS = 6000
/** On a busy machine the last packets of a server are read when it is closed already. */
const READ_LATE_MS = 1000
/** Health of a recorder without recordings. */
const IDLE = { instance: expect.any(String), recording: 0, undeliveredSec: 0, deliveries: [] }
const WAIT = { timeout: 60_000, interval: 20 }

let folder: string
let server: MediaServer
let recorder: Recorder
let inbox: WebhookInbox
let rooms: RoomServiceClient
let egress: EgressClient
let room = ''
let freeBytes = Infinity
let count = 0
const logged: LogEntry[] = []
const clients: RtcClient[] = []

async function startServer(port: number): Promise<void> {
  server = await startMediaServer({ host: '127.0.0.1', port, apiKeys: { [KEY]: SECRET } })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recorder-'))
  inbox = await openWebhookInbox(KEY, SECRET)
  await startServer(0)
  await startOwn()
  rooms = new RoomServiceClient(server.url, KEY, SECRET)
})

async function startOwn({ port = 0, url = server.url } = {}): Promise<void> {
  recorder = await startRecorder({
    host: '127.0.0.1',
    port,
    url,
    log: (entry) => logged.push(entry),
    apiKeys: { [KEY]: SECRET },
    webhook: { urls: [inbox.url], apiKey: KEY },
    egress: {
      folder: path.join(folder, 'work'),
      outputFolder: path.join(folder, 'files'),
      freeBytes: async () => freeBytes,
      chunkSec: 0.3,
    },
  })
  egress = new EgressClient(recorder.url, KEY, SECRET)
}

beforeEach(async () => {
  freeBytes = Infinity
  room = `room-${++count}`
  await rooms.createRoom({ name: room })
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.leave()))
})

afterAll(async () => {
  await recorder.close()
  await server.close()
  inbox.close()
  await rm(folder, { recursive: true })
})

async function enter(identity: string): Promise<RtcClient> {
  const token = new AccessToken(KEY, SECRET, { identity })
  token.addGrant({ roomJoin: true, room })
  const client = await connectRtcClient(server.url, await token.toJwt())
  clients.push(client)
  return client
}

const file = () => new EncodedFileOutput({ filepath: `${room}.mp4` })

async function reached(egressId: string, status: EgressStatus) {
  const [info] = await vi.waitFor(async () => {
    const found = await egress.listEgress({ egressId })
    expect(found[0]?.status).toBeGreaterThanOrEqual(status)
    return found
  }, WAIT)
  expect(EgressStatus[info?.status ?? 0]).toBe(EgressStatus[status])
  return info
}

test('a recorder joins hidden under the id of the egress, and ends with the room', async () => {
  const alice = await enter('alice')
  await alice.publish()
  const { egressId } = await egress.startRoomCompositeEgress(room, file())
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)

  const present = await rooms.listParticipants(room)
  expect(present.map(({ identity }) => identity).toSorted()).toEqual([egressId, 'alice'].toSorted())
  const { permission } = await rooms.getParticipant(room, egressId)
  expect(permission).toMatchObject({ hidden: true, recorder: true, canPublish: false })
  expect([...alice.room.remoteParticipants.keys()]).toEqual([])
  await vi.waitFor(() => expect(alice.room.isRecording).toBe(true), WAIT)

  await rooms.deleteRoom(room)
  const info = await reached(egressId, EgressStatus.EGRESS_COMPLETE)
  expect(info?.details).toBe('End reason: Source closed')
  const notified = () => inbox.events.filter(({ egressInfo }) => egressInfo?.egressId === egressId)
  await vi.waitFor(() => expect(notified().at(-1)?.event).toBe('egress_ended'), WAIT)
  expect(notified().map(({ event }) => event)).toEqual([
    'egress_started',
    'egress_updated',
    'egress_updated',
    'egress_ended',
  ])
})

test('an egress of a participant records their tracks alone, and ends when they leave', async () => {
  const alice = await enter('alice')
  await alice.publish()
  await (await enter('bob')).publish()
  const { egressId } = await egress.startParticipantEgress(room, 'alice', { file: file() })
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  const [connection] = (await rooms.listParticipants(room)).filter(
    ({ identity }) => identity === egressId,
  )
  expect(connection).toBeDefined()
  await alice.leave()
  const info = await reached(egressId, EgressStatus.EGRESS_COMPLETE)
  expect(info?.details).toBe('End reason: Source closed')
  const gone = async () => (await rooms.listParticipants(room)).map(({ identity }) => identity)
  await vi.waitFor(async () => expect(await gone()).toEqual(['bob']), WAIT)
})

test('an egress continues after a restart of the server', async () => {
  await (await enter('alice')).publish()
  const { egressId } = await egress.startRoomCompositeEgress(room, file())
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  const { port } = server
  await server.close()
  const endedAtMs = Date.now()
  await startServer(port)
  const backAtMs = Date.now()
  // The client may still hold a connection to the one before.
  await vi.waitFor(() => rooms.createRoom({ name: room }), WAIT)
  await vi.waitFor(async () => {
    const present = await rooms.listParticipants(room)
    expect(present.map(({ identity }) => identity)).toContain(egressId)
  }, WAIT)
  await (await enter('alice')).publish()
  const [info] = await egress.listEgress({ egressId })
  expect(info?.status).toBe(EgressStatus.EGRESS_ACTIVE)
  const capture = path.join(folder, 'work', egressId, 'capture', 'facts.jsonl')
  const missed = await vi.waitFor(async () => {
    const found = (await readCaptureEvents(capture)).filter((event) => event.fact === 'missed')
    expect(found).toHaveLength(1)
    return found[0]
  }, WAIT)
  expect(missed?.sinceMs).toBeGreaterThan(endedAtMs - STUN_INTERVAL_MAX_MS)
  expect(missed?.sinceMs).toBeLessThan(endedAtMs + READ_LATE_MS)
  expect(missed?.atMs).toBeGreaterThan(backAtMs)
  await egress.stopEgress(egressId)
  await reached(egressId, EgressStatus.EGRESS_COMPLETE)
})

/** The id of an egress that captures everybody. */
async function captureBegun(name: string): Promise<string> {
  const output = new EncodedFileOutput({ filepath: `${room}-${name}.capture` })
  const { egressId } = await egress.startRoomCompositeEgress(room, output)
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  return egressId
}

/** In front of the server: keeps what asks for rooms waiting until it is opened. */
async function openBarrier() {
  const opened = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const barrier = createServer((request, response) => {
    held.resolve()
    void (async () => {
      const body = await buffer(request)
      await opened.promise
      const { authorization = '', 'content-type': type = '' } = request.headers
      const headers = { authorization, 'content-type': type }
      const answer = await fetch(`${server.url}${request.url}`, { method: 'POST', headers, body })
      response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
    })()
  })
  barrier.on('upgrade', (_request, socket) => socket.destroy())
  const port = await listen(barrier, { host: '127.0.0.1', port: 0 })
  const close = () => barrier.close()
  return { url: `http://127.0.0.1:${port}`, held: held.promise, open: opened.resolve, close }
}

test('a recorder that has been restarted answers for what it left only when that is taken up', async () => {
  await (await enter('alice')).publish()
  const [one, other] = [await captureBegun('one'), await captureBegun('other')]
  const { port } = recorder
  await recorder.close()
  const barrier = await openBarrier()
  const starting = startOwn({ port, url: barrier.url })
  await barrier.held
  const client = new EgressClient(recorder.url, KEY, SECRET)
  const listed = client.listEgress({ roomName: room })
  const stopped = client.stopEgress(one)
  // Asked later, and answered: the others wait.
  await fetch(recorder.url)
  barrier.open()
  const known = (await listed).map(({ egressId }) => egressId)
  expect(known.toSorted()).toEqual([one, other].toSorted())
  await stopped
  await starting
  const info = await reached(one, EgressStatus.EGRESS_COMPLETE)
  expect(info?.details).toBe('End reason: StopEgress API')
  await recorder.close()
  barrier.close()
  await startOwn()
  await egress.stopEgress(other)
  await reached(other, EgressStatus.EGRESS_COMPLETE)
})

test('a recorder has connected once before it is ready, unless it continues what it left', async () => {
  const begun = () => logged.filter(({ msg }) => msg === 'rehearsed')
  await recorder.close()
  logged.length = 0
  await startOwn()
  expect(begun()).toHaveLength(1)

  await (await enter('alice')).publish()
  const egressId = await captureBegun('left')
  await recorder.close()
  await startOwn()
  expect(begun()).toHaveLength(1)
  await egress.stopEgress(egressId)
  await reached(egressId, EgressStatus.EGRESS_COMPLETE)
})

test('a recorder makes its output folder for nobody else', async () => {
  const { mode } = await stat(path.join(folder, 'files'))
  expect(mode & 0o777).toBe(0o700)
})

test('a recorder says in its log why it refuses a request', async () => {
  logged.length = 0
  const beyond = new EncodedFileOutput({ filepath: '/srv/storage/recording.mp4' })
  await expect(egress.startRoomCompositeEgress(room, beyond)).rejects.toMatchObject({
    code: 'invalid_argument',
  })
  expect(logged).toMatchObject([
    {
      level: 'warn',
      msg: 'api call refused',
      path: '/twirp/livekit.Egress/StartRoomCompositeEgress',
      reason: expect.stringContaining('EGRESS_OUTPUT_DIR'),
    },
  ])
})

/** The events of a capture, as far as it is delivered. */
async function deliveredOf(capture: string): Promise<{ chunks: number; events: CaptureEvent[] }> {
  const files = path.join(folder, 'files')
  const chunks = (await readdir(files).catch(() => []))
    .filter((name) => captureBeside(name) === capture)
    .toSorted()
  const target = await mkdtemp(path.join(folder, 'delivered-'))
  for (const name of chunks) {
    await unpackCapture(createReadStream(path.join(files, name)), target)
  }
  const events = await readCaptureEvents(path.join(target, 'facts.jsonl')).catch(() => [])
  return { chunks: chunks.length, events }
}

test('a capture continues when its recorder has been restarted, with those who are still present', async () => {
  const bob = await enter('bob')
  await bob.publish()
  await (await enter('alice')).publish()
  const capture = `${room}.capture`
  const output = new EncodedFileOutput({ filepath: capture })
  const { egressId } = await egress.startRoomCompositeEgress(room, output)
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  await vi.waitFor(async () => expect((await deliveredOf(capture)).chunks).toBeGreaterThan(2), WAIT)
  await recorder.close()
  const { chunks: before } = await deliveredOf(capture)
  await bob.leave()
  await startOwn()
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  await vi.waitFor(async () => {
    expect((await deliveredOf(capture)).chunks).toBeGreaterThan(before + 3)
  }, WAIT)
  await egress.stopEgress(egressId)
  const info = await reached(egressId, EgressStatus.EGRESS_COMPLETE)
  expect(info?.details).toBe('End reason: StopEgress API')
  const { events } = await deliveredOf(capture)
  const resumed = events.findIndex(({ fact }) => fact === 'resumed')
  const since = events.slice(resumed + 1)
  expect(since.flatMap((event) => (event.fact === 'joined' ? [event.name] : []))).toEqual(['alice'])
  expect(since.filter(({ fact }) => fact === 'published')).toHaveLength(2)
  expect(events.filter(({ fact }) => fact === 'active')).toHaveLength(1)
  expect(events.at(-1)?.fact).toBe('stopped')
})

test('a recording ends with its file before the disk is full, and no other begins', async () => {
  await (await enter('alice')).publish()
  const { egressId } = await egress.startRoomCompositeEgress(room, file())
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  freeBytes = 0
  const info = await reached(egressId, EgressStatus.EGRESS_COMPLETE)
  expect(info?.details).toBe('End reason: Disk nearly full')
  expect(Number(info?.fileResults[0]?.size)).toBeGreaterThan(0)
  await expect(egress.startRoomCompositeEgress(room, file())).rejects.toMatchObject({
    code: 'resource_exhausted',
  })
  const health = await fetch(`${recorder.url}/health`)
  const problems = ['the disk of EGRESS_DIR is nearly full']
  expect([health.status, await health.json()]).toMatchObject([503, { recording: 0, problems }])
  freeBytes = Infinity
  expect((await fetch(`${recorder.url}/health`)).status).toBe(200)
})

async function writtenBytes(client: EgressClient, egressId: string): Promise<number> {
  const [info] = await client.listEgress({ egressId })
  return Number(info?.fileResults[0]?.size ?? 0)
}

test('an active egress reports how many bytes it has written, which grow while media come', async () => {
  const alice = await enter('alice')
  await alice.publish()
  const { egressId } = await egress.startRoomCompositeEgress(room, file())
  await reached(egressId, EgressStatus.EGRESS_ACTIVE)
  await vi.waitFor(
    async () => expect(await writtenBytes(egress, egressId)).toBeGreaterThan(0),
    WAIT,
  )
  const before = await writtenBytes(egress, egressId)
  await vi.waitFor(
    async () => expect(await writtenBytes(egress, egressId)).toBeGreaterThan(before),
    WAIT,
  )
  await egress.stopEgress(egressId)
  await reached(egressId, EgressStatus.EGRESS_COMPLETE)
})

test('a recorder whose process is stopped answers nothing; when it runs again, it continues', async () => {
  const program = fileURLToPath(new URL('../../bin/interview-recorder.js', import.meta.url))
  const keys = `${KEY}: ${SECRET}`
  const folders = ['--egress-dir', path.join(folder, 'stopped')]
  const flags = ['--livekit-url', server.url, '--keys', keys, '--port', '0', ...folders]
  const child = spawn(process.execPath, [program, ...flags, '--parent-watch'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const url = line.toString().trim().replace('listening on ', '')
    const theirs = new EgressClient(url, KEY, SECRET)
    await (await enter('alice')).publish()
    const { egressId } = await theirs.startRoomCompositeEgress(room, file())
    const bytes = () => writtenBytes(theirs, egressId)
    await vi.waitFor(async () => expect(await bytes()).toBeGreaterThan(0), WAIT)

    child.kill('SIGSTOP')
    const listed = fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) })
    await expect(listed).rejects.toThrow('timeout')
    child.kill('SIGCONT')
    const before = await bytes()
    await vi.waitFor(async () => expect(await bytes()).toBeGreaterThan(before), WAIT)
  } finally {
    child.kill('SIGKILL')
  }
})

test('a recorder does not start on the folder of another one', async () => {
  const second = startRecorder({
    host: '127.0.0.1',
    port: 0,
    url: server.url,
    apiKeys: { [KEY]: SECRET },
    egress: {
      folder: path.join(folder, 'work'),
      outputFolder: path.join(folder, 'files'),
      claimPatienceMs: 200,
    },
  })
  await expect(second).rejects.toThrow('another process works in the folder')
})

test('a recorder refuses absent rooms, and fails where the server does not know its key', async () => {
  const absent = egress.startRoomCompositeEgress('nowhere', file())
  await expect(absent).rejects.toMatchObject({ code: 'not_found', status: 404 })
  const stranger = await startRecorder({
    host: '127.0.0.1',
    port: 0,
    url: server.url,
    apiKeys: { [KEY]: 'another-secret-of-thirty-two-characters' },
    egress: { folder: path.join(folder, 'other'), outputFolder: folder },
  })
  const theirs = new EgressClient(stranger.url, KEY, 'another-secret-of-thirty-two-characters')
  await expect(theirs.startRoomCompositeEgress(room, file())).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
  })
  const response = await fetch(`${stranger.url}/health`)
  expect([response.status, await response.json()]).toEqual([
    503,
    { ...IDLE, problems: ['the LiveKit server refuses the API key: HTTP status 401'] },
  ])
  await stranger.close()
})

test('says in /health how far deliveries are, and with which answer the storage refuses them', async () => {
  const bucket = await startS3Inbox()
  onTestFinished(() => bucket.close())
  const alice = await enter('alice')
  await alice.publish()
  const upload = { bucket: 'b', endpoint: bucket.url, forcePathStyle: true, region: 'r' }
  const value = new S3Upload({ ...upload, accessKey: 'k', secret: 's' })
  const output = new EncodedFileOutput({
    filepath: 'far.capture',
    output: { case: 's3', value },
  })
  const { egressId } = await egress.startRoomCompositeEgress(room, output)
  const delivery = async () => {
    const answer = await fetch(`${recorder.url}/health`)
    const { deliveries } = (await answer.json()) as { deliveries: DeliveryReport[] }
    return { status: answer.status, ...deliveries.find((each) => each.egressId === egressId) }
  }
  await vi.waitFor(async () => {
    const found = await delivery()
    expect(found).toMatchObject({ status: 200, lastRefusedAt: null, refusal: null })
    expect(Date.parse(found.lastDeliveredAt ?? '')).toBeGreaterThan(0)
  }, WAIT)
  bucket.isClosed = true
  await vi.waitFor(async () => {
    const found = await delivery()
    expect(found).toMatchObject({ status: 200, refusal: expect.stringMatching(/ \(403\)$/) })
    expect(found.undeliveredSec).toBeGreaterThan(1)
  }, WAIT)
  bucket.isClosed = false
  await vi.waitFor(async () => {
    const found = await delivery()
    expect(found).toMatchObject({ refusal: null, lastRefusedAt: expect.any(String) })
    expect(found.undeliveredSec).toBeLessThan(2)
  }, WAIT)
  await egress.stopEgress(egressId)
  await reached(egressId, EgressStatus.EGRESS_COMPLETE)
  await vi.waitFor(async () => expect(await delivery()).toEqual({ status: 200 }), WAIT)
})

test('a recorder whose server hangs says so before a health check gives up', async () => {
  const hanging = createServer(() => {})
  const port = await listen(hanging, { host: '127.0.0.1', port: 0 })
  const waiting = await startRecorder({
    host: '127.0.0.1',
    port: 0,
    url: `http://127.0.0.1:${port}`,
    apiKeys: { [KEY]: SECRET },
    egress: { folder: path.join(folder, 'waiting'), outputFolder: folder },
  })
  const response = await fetch(`${waiting.url}/health`, { signal: AbortSignal.timeout(4000) })
  const problems = [expect.stringContaining('the LiveKit server does not answer')]
  expect([response.status, await response.json()]).toEqual([503, { ...IDLE, problems }])
  await waiting.close()
  hanging.closeAllConnections()
  hanging.close()
})
