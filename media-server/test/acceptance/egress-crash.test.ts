import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Room } from '@livekit/rtc-node'
import {
  AccessToken,
  EgressClient,
  type EgressInfo,
  EgressStatus,
  EncodedFileOutput,
  EncodingOptions,
  RoomServiceClient,
} from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import { openWebhookInbox } from '../support/webhook-inbox.ts'
import { test as base } from './harness/egress-fixtures.ts'
import { durationsOf, readRecorded } from './harness/recorded-file.ts'
import { publishAudio, publishVideo } from './harness/rtc-node-fixtures.ts'
import { signToken } from './harness/tokens.ts'
import { recordedFor, until } from './harness/until.ts'

const PROGRAM = fileURLToPath(new URL('../faulty-server/main.ts', import.meta.url))
const KEYS = { apiKey: 'crash', apiSecret: 'a-secret-of-at-least-thirty-two-characters' }
const ENCODING = new EncodingOptions({ width: 320, height: 240, framerate: 15, videoBitrate: 500 })
const TEST_TIMEOUT_MS = 600_000
const ROOM = 'room'

/** A media server as a process, which can be killed and started again on the same folders. */
const test = base.extend('machine', async ({ stage }, { onCleanup }) => {
  if (!stage.isEmbedded) throw new Error('only our own server is killed')
  const folder = await mkdtemp(path.join(tmpdir(), 'egress-crash-'))
  const inbox = await openWebhookInbox(KEYS.apiKey, KEYS.apiSecret)
  const work = path.join(folder, 'egress')
  let child: ChildProcess | undefined
  let url = ''
  const clients: Room[] = []
  const publications: (() => Promise<void>)[] = []
  onCleanup(async () => {
    await Promise.all(publications.map((end) => end()))
    await Promise.all(clients.map((client) => client.disconnect()))
    child?.kill('SIGKILL')
    inbox.close()
    await rm(folder, { recursive: true, force: true })
  })
  const machine = {
    work,
    inbox,
    file: path.join(work, 'files', 'out.mp4'),
    async start() {
      const flags = ['--port', '0', '--webhook-url', inbox.url, '--egress-dir', work]
      const running = spawn(process.execPath, [PROGRAM, ...flags], {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          KEYS: `${KEYS.apiKey}: ${KEYS.apiSecret}`,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      child = running
      const [line] = (await once(createInterface({ input: running.stdout }), 'line')) as [string]
      url = line.replace('listening on ', '')
    },
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      const exited = once(child as ChildProcess, 'exit')
      child?.kill(signal)
      await exited
    },
    async inject(fault: string) {
      const token = new AccessToken(KEYS.apiKey, KEYS.apiSecret)
      token.addGrant({ roomRecord: true })
      await fetch(`${url}/faults`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${await token.toJwt()}` },
        body: JSON.stringify({ egress: { next: fault } }),
      })
    },
    egress: () => new EgressClient(url, KEYS.apiKey, KEYS.apiSecret),
    async enter() {
      await new RoomServiceClient(url, KEYS.apiKey, KEYS.apiSecret).createRoom({ name: ROOM })
      const client = new Room()
      const token = await signToken(KEYS, { room: ROOM, identity: 'alice', name: 'Alice' })
      await client.connect(url.replace(/^http/, 'ws'), token)
      clients.push(client)
      return client
    },
    /** Somebody with audio and video enters, and is recorded. */
    async record(): Promise<{ egressId: string; beginMs: number }> {
      const client = await machine.enter()
      publications.push(await publishAudio(client), await publishVideo(client))
      const egress = machine.egress()
      const options = { encodingOptions: ENCODING }
      const { egressId } = await egress.startRoomCompositeEgress(ROOM, OUTPUT, options)
      const { fileResults } = await infoWith(egress, egressId, EgressStatus.EGRESS_ACTIVE)
      return { egressId, beginMs: Number((fileResults[0]?.startedAt ?? 0n) / 1_000_000n) }
    },
  }
  await machine.start()
  return machine
})

test.beforeEach(({ stage, skip }) => {
  skip(!stage.isEmbedded, 'only our own server is killed')
})

const OUTPUT = new EncodedFileOutput({ filepath: 'out.mp4' })

async function infoWith(
  egress: EgressClient,
  egressId: string,
  status: EgressStatus,
): Promise<EgressInfo> {
  const [info] = await until({
    fact: `status ${EgressStatus[status]}`,
    read: () => egress.listEgress({ egressId }),
    holds: ([found]) => found?.status === status,
    timeoutMs: 300_000,
  })
  return info as EgressInfo
}

describe('a media server that ends', () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    test(
      `by ${signal} while it records: the next one makes the file of what was captured, and reports it`,
      {
        timeout: TEST_TIMEOUT_MS,
      },
      async ({ machine }) => {
        const { egressId, beginMs } = await machine.record()
        await recordedFor(beginMs, 5)
        const askedSec = (Date.now() - beginMs) / 1000
        await machine.end(signal)
        const goneSec = (Date.now() - beginMs) / 1000

        await machine.start()
        const { EGRESS_ENDING, EGRESS_COMPLETE } = EgressStatus
        const info = await infoWith(machine.egress(), egressId, EGRESS_COMPLETE)
        expect(info.details).toBe('End reason: Process killed; the worker was restarted')
        const { videoSec, audioSec } = durationsOf(await readRecorded(machine.file, 15))
        // It ends between the signal and the exit: an orderly end takes up to two seconds to notify everybody.
        expect(videoSec).toBeGreaterThan(askedSec - 1)
        expect(videoSec).toBeLessThan(goneSec + 0.2)
        expect(Math.abs(audioSec - videoSec)).toBeLessThan(0.2)
        expect(await readdir(machine.work)).toEqual(['ended', 'failed', 'files', 'owner.sock'])
        await until({
          fact: 'the end is reported',
          read: () => machine.inbox.events.filter(({ egressInfo }) => egressInfo !== undefined),
          holds: (events) => events.at(-1)?.egressInfo?.status === EGRESS_COMPLETE,
        })
        const last = machine.inbox.events.slice(-2)
        expect(last.map(({ event, egressInfo }) => [event, egressInfo?.status])).toEqual([
          ['egress_updated', EGRESS_ENDING],
          ['egress_ended', EGRESS_COMPLETE],
        ])
      },
    )
  }

  test(
    'by SIGKILL while it composes: the next one composes again',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async ({ machine }) => {
      const { egressId, beginMs } = await machine.record()
      await recordedFor(beginMs, 4)
      await machine.egress().stopEgress(egressId)
      await until({
        fact: 'the composition runs',
        read: () => readdir(path.join(machine.work, egressId)),
        holds: (names) => names.some((name) => name.startsWith('attempt-')),
      })
      await machine.end('SIGKILL')
      const before = await readdir(path.join(machine.work, 'files')).catch(() => [])
      expect(before).toEqual([])

      await machine.start()
      await infoWith(machine.egress(), egressId, EgressStatus.EGRESS_COMPLETE)
      const { videoSec } = durationsOf(await readRecorded(machine.file, 15))
      expect(videoSec).toBeGreaterThan(3.9)
      expect(await readdir(machine.work)).toEqual(['ended', 'failed', 'files', 'owner.sock'])
    },
  )
})

describe('an injected fault', () => {
  test(
    'ends the recording as requested: at the limit with its file, or complete without it',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async ({ machine, onTestFinished }) => {
      const client = await machine.enter()
      onTestFinished(await publishAudio(client))
      const egress = machine.egress()
      const options = { encodingOptions: ENCODING }
      await machine.inject('limit_reached')
      const limited = await egress.startRoomCompositeEgress(ROOM, OUTPUT, options)
      const { EGRESS_LIMIT_REACHED, EGRESS_ACTIVE, EGRESS_COMPLETE, EGRESS_FAILED } = EgressStatus
      const info = await infoWith(egress, limited.egressId, EGRESS_LIMIT_REACHED)
      expect(info).toMatchObject({ error: 'Session limit reached', errorCode: 413 })
      expect(info.details).toBe('End reason: Session limit reached')
      const { videoSec } = durationsOf(await readRecorded(machine.file, 15))
      expect(videoSec).toBeGreaterThan(1.5)
      await rm(machine.file)

      await machine.inject('missing_file')
      const lost = await egress.startRoomCompositeEgress(ROOM, OUTPUT, options)
      await infoWith(egress, lost.egressId, EGRESS_ACTIVE)
      await egress.stopEgress(lost.egressId)
      const { fileResults } = await infoWith(egress, lost.egressId, EGRESS_COMPLETE)
      expect(fileResults[0]).toMatchObject({ filename: machine.file })
      expect(await readdir(path.dirname(machine.file))).toEqual([])

      await machine.inject('fail_at_stop')
      const failed = await egress.startRoomCompositeEgress(ROOM, OUTPUT, options)
      await infoWith(egress, failed.egressId, EGRESS_ACTIVE)
      await egress.stopEgress(failed.egressId)
      const ended = await infoWith(egress, failed.egressId, EGRESS_FAILED)
      expect(ended).toMatchObject({ error: 'Encoding failed', details: 'End reason: Failure' })
    },
  )
})
