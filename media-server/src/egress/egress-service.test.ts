import { createReadStream } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type CaptureSummary,
  readCaptureSummary,
} from '@interview-room/composer/capture/capture-archive.ts'
import {
  encodeCaptureEvent,
  type CaptureEvent,
} from '@interview-room/composer/capture/capture-events.ts'
import { EgressInfo } from '@livekit/protocol'
import {
  AccessToken,
  EgressClient,
  EgressStatus,
  EncodedFileOutput,
  EncodingOptionsPreset,
  RoomServiceClient,
  S3Upload,
} from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startFaultyServer } from '../../test/faulty-server/faulty-server.ts'
import { openWebhookInbox, type WebhookInbox } from '../../test/support/webhook-inbox.ts'
import type { MediaServer } from '../server.ts'
import { WorkFolder } from './work-folder.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const WAIT = { timeout: 120_000, interval: 20 }
const START_TIMEOUT_SEC = 1

let folder: string
let server: MediaServer
let inbox: WebhookInbox
let rooms: RoomServiceClient
let egress: EgressClient
let room = ''
let count = 0

async function start(options: { startTimeoutSec?: number } = {}): Promise<void> {
  server = await startFaultyServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [KEY]: SECRET },
    webhook: { urls: [inbox.url], apiKey: KEY },
    egress: {
      folder: path.join(folder, 'work'),
      outputFolder: path.join(folder, 'files'),
      ...options,
    },
  })
  rooms = new RoomServiceClient(server.url, KEY, SECRET)
  egress = new EgressClient(server.url, KEY, SECRET)
}

async function restart(options: { startTimeoutSec?: number } = {}): Promise<void> {
  await server.close()
  await start(options)
  await rooms.createRoom({ name: room })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'egress-'))
  inbox = await openWebhookInbox(KEY, SECRET)
  await start()
})

beforeEach(async () => {
  room = `room-${++count}`
  await rooms.createRoom({ name: room })
})

afterAll(async () => {
  await server.close()
  inbox.close()
  await rm(folder, { recursive: true })
})

function file(change: Partial<EncodedFileOutput> = {}): EncodedFileOutput {
  return new EncodedFileOutput({ filepath: `${room}.mp4`, ...change })
}

/**
 * Waits until it has ended and the webhook was sent, which is the last step. A webhook sent after its
 * test would meet a fault that the next test injects.
 */
async function ended(egressId: string) {
  await vi.waitFor(() => expect(notified(egressId).at(-1)?.[0]).toBe('egress_ended'), WAIT)
  const [info] = await egress.listEgress({ egressId })
  if (info === undefined) throw new Error('unknown')
  expect(info.status).toBeGreaterThanOrEqual(EgressStatus.EGRESS_COMPLETE)
  return info
}

function notified(egressId: string): [string, EgressStatus | undefined][] {
  return inbox.events
    .filter(({ egressInfo }) => egressInfo?.egressId === egressId)
    .map(({ event, egressInfo }) => [event, egressInfo?.status])
}

describe('the egress service refuses', () => {
  test('an absent room, and a caller that may not record', async () => {
    const absent = egress.startRoomCompositeEgress('nowhere', file())
    await expect(absent).rejects.toMatchObject({ code: 'not_found', status: 404 })
    const stranger = new EgressClient(server.url, KEY, 'another-secret')
    await expect(stranger.listEgress()).rejects.toMatchObject({ status: 401 })
    const token = new AccessToken(KEY, SECRET)
    token.addGrant({ roomAdmin: true, room })
    const response = await fetch(`${server.url}/twirp/livekit.Egress/ListEgress`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await token.toJwt()}`,
        'Content-Type': 'application/json',
      },
      body: '{}',
    })
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { code: 'unauthenticated' },
    ])
  })

  test('a request without a file, beyond the output folder, or of an unknown preset', async () => {
    const invalid = { code: 'invalid_argument', status: 400 }
    const nothing = egress.startParticipantEgress(room, 'alice', {})
    await expect(nothing).rejects.toMatchObject(invalid)
    const beyond = egress.startRoomCompositeEgress(room, file({ filepath: '/etc/passwd' }))
    await expect(beyond).rejects.toMatchObject(invalid)
    const options = { encodingOptions: EncodingOptionsPreset.PASSTHROUGH }
    const odd = egress.startRoomCompositeEgress(room, file(), options)
    await expect(odd).rejects.toMatchObject(invalid)
    expect(await egress.listEgress({ roomName: room })).toEqual([])
  })

  test('unsupported operations, like a server without workers', async () => {
    const web = egress.startWebEgress('http://a.test', file())
    await expect(web).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  })

  test('to stop or change an egress that is unknown or has ended', async () => {
    await expect(egress.stopEgress('EG_none')).rejects.toMatchObject({ code: 'not_found' })
    const { egressId } = await egress.startRoomCompositeEgress(room, file())
    await egress.stopEgress(egressId)
    await ended(egressId)
    const again = { code: 'failed_precondition', status: 412 }
    await expect(egress.stopEgress(egressId)).rejects.toMatchObject(again)
    await expect(egress.updateLayout(egressId, 'grid')).rejects.toMatchObject(again)
  })
})

describe('an egress without media', () => {
  test('that is stopped is aborted, and both are reported', async () => {
    const { egressId, status, roomName } = await egress.startRoomCompositeEgress(room, file())
    expect([status, roomName]).toEqual([EgressStatus.EGRESS_STARTING, room])
    expect(egressId).toMatch(/^EG_/)
    await egress.stopEgress(egressId)
    expect(await ended(egressId)).toMatchObject({
      status: EgressStatus.EGRESS_ABORTED,
      error: 'Stop called before pipeline could start',
      errorCode: 412,
    })
    await vi.waitFor(() => {
      expect(notified(egressId)).toEqual([
        ['egress_started', EgressStatus.EGRESS_STARTING],
        ['egress_ended', EgressStatus.EGRESS_ABORTED],
      ])
    }, WAIT)
  })

  test('is aborted when no media comes in time', async () => {
    const active = () => egress.listEgress({ roomName: room, active: true })
    const former = await egress.startParticipantEgress(room, 'nobody', { file: file() })
    expect(await active()).toHaveLength(1)
    await restart({ startTimeoutSec: START_TIMEOUT_SEC })
    await ended(former.egressId)

    const startedAtMs = performance.now()
    const { egressId } = await egress.startParticipantEgress(room, 'nobody', { file: file() })
    expect(await ended(egressId)).toMatchObject({
      error: 'Start signal not received',
      errorCode: 412,
    })
    expect(performance.now() - startedAtMs).toBeGreaterThan(START_TIMEOUT_SEC * 900)
    expect(await active()).toEqual([])
    await restart()
  })

  test('ends with its room', async () => {
    const { egressId } = await egress.startRoomCompositeEgress(room, file())
    await rooms.deleteRoom(room)
    expect(await ended(egressId)).toMatchObject({ status: EgressStatus.EGRESS_ABORTED })
  })

  test('leaves only its info behind, also after a restart', async () => {
    const { egressId } = await egress.startRoomCompositeEgress(room, file())
    await egress.stopEgress(egressId)
    const before = await ended(egressId)
    await restart()
    const [after] = await egress.listEgress({ egressId })
    expect(after).toEqual(before)
    expect(await readdir(path.join(folder, 'work'))).toEqual(['ended', 'failed', 'owner.sock'])
  })

  test('that a killed server left behind is aborted by the next server', async () => {
    const { egressId } = await egress.startRoomCompositeEgress(room, file())
    await restart()
    expect(await ended(egressId)).toMatchObject({ status: EgressStatus.EGRESS_ABORTED })
  })
})

/** An egress as a killed server left it behind, and the place of its file. */
async function leftBehind(egressId: string) {
  const work = new WorkFolder(path.join(folder, 'work'))
  const output = { kind: 'file' as const, file: path.join(folder, `files/${egressId}.capture`) }
  const names = { egressId, roomName: room, roomId: 'RM_1' }
  const info = EgressInfo.fromJson({ ...names, status: 'EGRESS_ACTIVE' })
  const encoding = { frameRate: 15, videoKbps: 500, audioKbps: 64, keyFrameSec: 4 }
  const plan = { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding }
  const selection = { of: 'room' as const, hasPicture: true, hasSound: true }
  await work.create({ info, job: { selection, plan, output } })
  return { work, file: output.file }
}

const ACTIVE: CaptureEvent = { fact: 'active', atMs: 1000 }
const joined = (atMs: number): CaptureEvent => {
  return { fact: 'joined', atMs, participant: `p${atMs}`, name: 'P' }
}
const eventsIn = (capture: string, events: readonly CaptureEvent[]) =>
  writeFile(path.join(capture, 'facts.jsonl'), Buffer.concat(events.map(encodeCaptureEvent)))

async function delivered(egressId: string, file: string): Promise<CaptureSummary> {
  const { fileResults, status } = await ended(egressId)
  expect(status).toBe(EgressStatus.EGRESS_COMPLETE)
  const { size } = await stat(file)
  expect(fileResults[0]).toMatchObject({ filename: file, size: BigInt(size) })
  expect(fileResults[0]?.duration).toBe(2_500_000_000n)
  expect(await readdir(path.join(folder, 'work'))).toEqual(['ended', 'failed', 'owner.sock'])
  return readCaptureSummary(createReadStream(file))
}

describe('an egress that delivers its capture', () => {
  test('brings the chunks that were left and the end mark when its server was killed', async () => {
    await server.close()
    const { work, file: target } = await leftBehind('EG_killed')
    await eventsIn(work.chunkFolderOf('EG_killed', 1), [ACTIVE, joined(1500)])
    await eventsIn(await work.makeChunk('EG_killed', 2), [joined(3500)])
    await work.makeChunk('EG_killed', 3)

    await start()
    const summary = { format: 2, startMs: 1000, endMs: 3500 }
    expect(await delivered('EG_killed', target)).toEqual(summary)
    const names = (await readdir(path.join(folder, 'files'))).filter((name) =>
      name.startsWith('EG_killed'),
    )
    expect(names.toSorted()).toEqual([
      'EG_killed.capture',
      'EG_killed.capture.000001',
      'EG_killed.capture.000002',
    ])
  })

  test('brings in one file what a release without chunks left behind', async () => {
    await server.close()
    const { work, file: target } = await leftBehind('EG_former')
    await rm(path.dirname(work.chunkFolderOf('EG_former', 1)), { recursive: true })
    await mkdir(work.captureFolderOf('EG_former'))
    await eventsIn(work.captureFolderOf('EG_former'), [ACTIVE, joined(3500)])

    await start()
    const summary = { format: 1, startMs: 1000, endMs: 3500 }
    expect(await delivered('EG_former', target)).toEqual(summary)
  })
})

test('an egress that cannot be read waits for the next start of the server', async () => {
  await server.close()
  const { work, file: target } = await leftBehind('EG_waiting')
  await eventsIn(work.chunkFolderOf('EG_waiting', 1), [ACTIVE, joined(3500)])
  const stored = path.join(work.folderOf('EG_waiting'), 'egress.json')
  await rename(stored, `${stored}.elsewhere`)
  await mkdir(stored)
  await start()
  expect(await egress.listEgress({ egressId: 'EG_waiting' })).toEqual([])
  await rmdir(stored)
  await rename(`${stored}.elsewhere`, stored)
  await restart()
  const summary = { format: 2, startMs: 1000, endMs: 3500 }
  expect(await delivered('EG_waiting', target)).toEqual(summary)
})

describe('credentials', () => {
  const upload = new S3Upload({
    bucket: 'b',
    accessKey: 'AKIA-public',
    secret: 'the-secret-itself',
  })

  test('are in no answer or webhook, and only in one file of the owner, which is deleted', async () => {
    const output = file({ output: { case: 's3', value: upload } })
    const { egressId } = await egress.startRoomCompositeEgress(room, output)
    const stored = path.join(folder, 'work', egressId, 'egress.json')
    expect((await stat(stored)).mode & 0o777).toBe(0o600)
    await egress.stopEgress(egressId)
    const info = await ended(egressId)
    await vi.waitFor(() => expect(notified(egressId)).toHaveLength(2), WAIT)

    const kept = await readFile(path.join(folder, 'work/ended', `${egressId}.json`), 'utf8')
    const seen = [info.toJsonString(), JSON.stringify(inbox.events), kept]
    for (const text of seen) expect(text).not.toMatch(/the-secret-itself|AKIA-public/)
    expect(info.toJsonString()).toContain('{secret}')
    await expect(stat(stored)).rejects.toThrow('ENOENT')
  })
})

async function inject(body: unknown, grant = { roomRecord: true }): Promise<number> {
  const token = new AccessToken(KEY, SECRET)
  token.addGrant(grant)
  const response = await fetch(`${server.url}/faults`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await token.toJwt()}` },
    body: JSON.stringify(body),
  })
  return response.status
}

describe('an injected fault', () => {
  test('makes the next start fail as requested, and the one after it succeed', async () => {
    expect(await inject({ egress: { next: 'refuse_start' } })).toBe(200)
    const refused = egress.startRoomCompositeEgress(room, file())
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
    await inject({ egress: { next: 'fail_start' } })
    const { egressId } = await egress.startRoomCompositeEgress(room, file())
    expect(await ended(egressId)).toMatchObject({ status: EgressStatus.EGRESS_FAILED })
    const healthy = await egress.startRoomCompositeEgress(room, file())
    expect(healthy.status).toBe(EgressStatus.EGRESS_STARTING)
    await egress.stopEgress(healthy.egressId)
    await ended(healthy.egressId)
  })

  test('drops and duplicates notifications', async () => {
    await inject({ webhooks: { event: 'egress_started', action: 'drop' } })
    await inject({ webhooks: { event: 'egress_ended', action: 'double' } })
    const { egressId } = await egress.startRoomCompositeEgress(room, file())
    await egress.stopEgress(egressId)
    await vi.waitFor(() => {
      expect(notified(egressId).map(([event]) => event)).toEqual(['egress_ended', 'egress_ended'])
    }, WAIT)
  })

  test('is refused when it is invalid, and from a caller that may not record', async () => {
    expect(await inject({ egress: { next: 'explode' } })).toBe(400)
    expect(await inject({}, { roomRecord: false })).toBe(401)
  })
})
