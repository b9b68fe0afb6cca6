import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { dispose } from '@livekit/rtc-node'
import {
  AccessToken,
  EgressClient,
  EgressStatus,
  EncodedFileOutput,
  RoomServiceClient,
} from 'livekit-server-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { connectRtcClient, type RtcClient } from '../../test/support/rtc-client.ts'
import { openWebhookInbox, type WebhookInbox } from '../../test/support/webhook-inbox.ts'
import { type MediaServer, startMediaServer } from '../server.ts'
import { type Recorder, startRecorder } from './recorder.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
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
const clients: RtcClient[] = []

async function startServer(port: number): Promise<void> {
  server = await startMediaServer({ host: '127.0.0.1', port, apiKeys: { [KEY]: SECRET } })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recorder-'))
  inbox = await openWebhookInbox(KEY, SECRET)
  await startServer(0)
  recorder = await startRecorder({
    host: '127.0.0.1',
    port: 0,
    url: server.url,
    apiKeys: { [KEY]: SECRET },
    webhook: { urls: [inbox.url], apiKey: KEY },
    egress: {
      folder: path.join(folder, 'work'),
      outputFolder: path.join(folder, 'files'),
      freeBytes: async () => freeBytes,
    },
  })
  rooms = new RoomServiceClient(server.url, KEY, SECRET)
  egress = new EgressClient(recorder.url, KEY, SECRET)
})

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
  await dispose()
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
  await startServer(port)
  // The client may still hold a connection to the one before.
  await vi.waitFor(() => rooms.createRoom({ name: room }), WAIT)
  await vi.waitFor(async () => {
    const present = await rooms.listParticipants(room)
    expect(present.map(({ identity }) => identity)).toContain(egressId)
  }, WAIT)
  await (await enter('alice')).publish()
  const [info] = await egress.listEgress({ egressId })
  expect(info?.status).toBe(EgressStatus.EGRESS_ACTIVE)
  await egress.stopEgress(egressId)
  await reached(egressId, EgressStatus.EGRESS_COMPLETE)
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

test('a recorder whose process is stopped answers nothing; when it runs again, it goes on', async () => {
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
    { recording: 0, problems: ['the LiveKit server does not answer: HTTP status 401'] },
  ])
  await stranger.close()
})
