import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import {
  readCaptureSummary,
  unpackCapture,
} from '@interview-room/composer/capture/capture-archive.ts'
import { readCaptureEvents } from '@interview-room/composer/capture/capture-events.ts'
import { readRtpLog } from '@interview-room/composer/capture/rtp-log.ts'
import {
  AccessToken,
  EgressClient,
  EgressStatus,
  EncodedFileOutput,
  RoomServiceClient,
  S3Upload,
} from 'livekit-server-sdk'
import { beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { type S3Inbox, startS3Inbox } from '../../test/acceptance/harness/s3-inbox.ts'
import { connectRtcClient, type RtcClient } from '../../test/support/rtc-client.ts'
import { InboundTrack } from '../rtc/inbound-track.ts'
import { type MediaServer, startMediaServer } from '../server.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const WAIT = { timeout: 60_000, interval: 20 }
const CAPTURE = '/b/t/r/a.capture'

let folder: string
let bucket: S3Inbox
let server: MediaServer
let alice: RtcClient
let egressId: string
let arrivals: MockInstance<InboundTrack['receive']>

const work = () => path.join(folder, 'work')
const client = () => new EgressClient(server.url, KEY, SECRET)
const chunks = () => [...bucket.objects.keys()].filter((name) => name !== CAPTURE).toSorted()

async function start(): Promise<void> {
  server = await startMediaServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [KEY]: SECRET },
    egress: { folder: work(), outputFolder: folder, chunkSec: 0.3 },
  })
}

beforeAll(async () => {
  bucket = await startS3Inbox()
  return async () => {
    await bucket.close()
  }
})

beforeEach(async () => {
  bucket.objects.clear()
  bucket.isDown = false
  bucket.isClosed = false
  arrivals = vi.spyOn(InboundTrack.prototype, 'receive')
  folder = await mkdtemp(path.join(tmpdir(), 'capture-chunks-'))
  await start()
  const room = 'room'
  await new RoomServiceClient(server.url, KEY, SECRET).createRoom({ name: room })
  const token = new AccessToken(KEY, SECRET, { identity: 'alice' })
  token.addGrant({ roomJoin: true, room })
  alice = await connectRtcClient(server.url, await token.toJwt())
  await alice.publish()
  const upload = { bucket: 'b', endpoint: bucket.url, forcePathStyle: true, region: 'r' }
  const value = new S3Upload({ ...upload, accessKey: 'k', secret: 's' })
  const output = new EncodedFileOutput({
    filepath: 't/r/a.capture',
    output: { case: 's3', value },
  })
  egressId = (await client().startRoomCompositeEgress(room, output)).egressId
  return async () => {
    arrivals.mockRestore()
    await alice.leave()
    await server.close()
    await rm(folder, { recursive: true })
  }
})

async function complete(): Promise<void> {
  await vi.waitFor(async () => {
    const [info] = await client().listEgress({ egressId })
    expect(EgressStatus[info?.status ?? 0]).toBe('EGRESS_COMPLETE')
  }, WAIT)
}

/** Numbers of a track's packets that have come, in their order. */
function arrivedNumbers(sid: string): number[] {
  const { contexts, calls } = arrivals.mock
  const tracks = contexts as InboundTrack[]
  const ofTrack = calls.filter((_, i) => tracks[i]?.sid === sid)
  return ofTrack.map(([packet]) => packet.header.sequenceNumber)
}

/** The capture in the bucket: the numbers of the packets of each track, in their order, and the events. */
async function delivered() {
  const target = path.join(folder, 'delivered')
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  for (const name of chunks()) {
    await unpackCapture(Readable.from([bucket.objects.get(name) ?? '']), target)
  }
  const logs = (await readdir(target)).filter((name) => name.endsWith('.rtp'))
  const tracks: { sid: string; numbers: number[] }[] = []
  for (const log of logs) {
    const numbers: number[] = []
    for await (const record of readRtpLog(path.join(target, log))) {
      if (record.kind === 'packet') numbers.push(record.sequenceNumber)
    }
    tracks.push({ sid: path.basename(log, '.rtp'), numbers })
  }
  return { tracks, events: await readCaptureEvents(path.join(target, 'facts.jsonl')) }
}

/** Chunks that are on the disk of the recorder. */
const kept = () => readdir(path.join(work(), egressId, 'chunks'))

type DeliveredMedia = Awaited<ReturnType<typeof delivered>>

/**
 * Nothing that came between the first and the last delivered packet is missing, twice, or in another place.
 * A client may leave numbers out itself.
 */
function expectNothingLost({ tracks }: DeliveredMedia): void {
  expect(tracks.flatMap(({ numbers }) => numbers)).not.toEqual([])
  for (const { sid, numbers } of tracks) {
    const came = arrivedNumbers(sid)
    const first = came.indexOf(numbers[0] ?? -1)
    expect(numbers).toEqual(came.slice(first, first + numbers.length))
  }
}

describe('a capture that is asked for', () => {
  test('is in the storage while it lasts, without the machine that records', async () => {
    await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(4), WAIT)
    const names = chunks()
    expect(names.slice(0, 3)).toEqual(
      ['000001', '000002', '000003'].map((number) => `${CAPTURE}.${number}`),
    )
    expect(bucket.objects.has(CAPTURE)).toBe(false)
    const all = await delivered()
    expect(all.tracks).toHaveLength(2)
    expectNothingLost(all)
    const facts = all.events.map(({ fact }) => fact)
    // It is active from the first track on: the second one may be published later.
    expect(facts[0]).toBe('joined')
    expect(facts.toSorted()).toEqual(['active', 'joined', 'published', 'published'])
    // Delivered chunks are not kept here: only the newest one stays.
    await vi.waitFor(async () => expect(await kept()).not.toContain('3'), WAIT)
  })

  test('loses nothing with a chunk but what came in its time', async () => {
    await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(5), WAIT)
    await client().stopEgress(egressId)
    await complete()
    const { events: whole } = await delivered()
    for (const lost of ['000001', '000003']) bucket.objects.delete(`${CAPTURE}.${lost}`)
    const { tracks, events } = await delivered()
    expect(tracks).toHaveLength(2)
    const listed = ['resumed', 'joined', 'published', 'published']
    expect(events.map(({ fact }) => fact)).toEqual(['active', ...listed, ...listed, 'stopped'])
    const active = ({ fact }: (typeof events)[number]) => fact === 'active'
    expect(events.find(active)?.atMs).toBeCloseTo(whole.find(active)?.atMs ?? 0, 2)
  })

  test('loses nothing while the storage is out of reach, and ends when all of it is there', async () => {
    await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(1), WAIT)
    bucket.isDown = true
    const before = chunks().length
    await vi.waitFor(async () => expect((await kept()).length).toBeGreaterThan(6), WAIT)
    expect(chunks()).toHaveLength(before)
    await client().stopEgress(egressId)
    bucket.isDown = false
    await complete()
    const all = await delivered()
    expectNothingLost(all)
    const stopped = all.events.at(-1)
    expect(stopped?.fact).toBe('stopped')
    const mark = await readCaptureSummary(Readable.from([bucket.objects.get(CAPTURE) ?? '']))
    expect(mark).toMatchObject({ format: 2, endMs: stopped?.atMs })
  })

  test('waits for a storage that refuses it, too: its rights can be mended', async () => {
    await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(1), WAIT)
    bucket.isClosed = true
    await vi.waitFor(async () => expect((await kept()).length).toBeGreaterThan(2), WAIT)
    await client().stopEgress(egressId)
    const details = async () => (await client().listEgress({ egressId }))[0]?.details
    const words = /^End reason: StopEgress API; Undelivered: \d+ s \(.+ \(403\)\)$/
    await vi.waitFor(async () => expect(await details()).toMatch(words), WAIT)
    const refused = bucket.requests
    await vi.waitFor(() => expect(bucket.requests).toBeGreaterThan(refused + 1), WAIT)
    bucket.isClosed = false
    await complete()
    expect(await details()).toBe('End reason: StopEgress API')
    expectNothingLost(await delivered())
    expect(bucket.objects.has(CAPTURE)).toBe(true)
  })

  test('is finished by the next process when one ends, with what is left on the disk', async () => {
    await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(2), WAIT)
    bucket.isDown = true
    await vi.waitFor(async () => expect((await kept()).length).toBeGreaterThan(4), WAIT)
    await server.close()
    bucket.isDown = false
    await start()
    await complete()
    expectNothingLost(await delivered())
    expect(bucket.objects.has(CAPTURE)).toBe(true)
    // The folder goes after the end was reported.
    await vi.waitFor(
      async () => expect(await readdir(work())).toEqual(['ended', 'failed', 'owner.sock']),
      WAIT,
    )
  })
})

test('of one that never began nothing leaves the machine', async () => {
  await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(0), WAIT)
  await client().stopEgress(egressId)
  await complete()
  bucket.objects.clear()
  const room = 'silent'
  await new RoomServiceClient(server.url, KEY, SECRET).createRoom({ name: room })
  const value = new S3Upload({ bucket: 'b', endpoint: bucket.url, forcePathStyle: true })
  const output = new EncodedFileOutput({ filepath: 's.capture', output: { case: 's3', value } })
  const { egressId: silent } = await client().startRoomCompositeEgress(room, output)
  await client().stopEgress(silent)
  await vi.waitFor(async () => {
    const [info] = await client().listEgress({ egressId: silent })
    expect(EgressStatus[info?.status ?? 0]).toBe('EGRESS_ABORTED')
  }, WAIT)
  expect([...bucket.objects.keys()]).toEqual([])
})
