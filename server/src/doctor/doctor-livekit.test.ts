import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Recorder,
  type RecorderOptions,
  startRecorder,
} from '@interview-room/media-server/src/recorder/recorder.ts'
import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { freePort } from '../local/lib/ports.ts'
import type { CheckResult } from '../platform/checks/check.ts'
import { loadConfig } from '../platform/config/config.ts'
import { ALL_RIGHTS } from '../platform/ports/media.ts'
import { s3Settings, startTestS3, type TestS3 } from '../platform/storage/testing/s3-server.ts'
import { openDeps } from '../service.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { buildGoTool, HAS_GO } from '../testing/go-tools.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts'
import { waitFor } from '../testing/wait-for.ts'
import { runDoctor } from './run-doctor.ts'

const LIVEKIT = { program: 'github.com/livekit/livekit-server/cmd/server', version: 'v1.13.5' }
const BUILD_MS = 45 * 60_000
const HOST = '127.0.0.1'
const CONNECT_MS = 15_000
const WAIT_MS = 60_000
const KEY = { apiKey: 'devkey', apiSecret: 'a-secret-of-at-least-thirty-two-characters' }
const OTHER = { apiKey: 'otherkey', apiSecret: 'another-secret-of-thirty-two-characters' }
const FONTS = { latin: 'a.ttf', eastAsian: 'b.ttc', thai: 'c.ttf', rightToLeft: 'a.ttf' }

interface LivekitConfig {
  keys: Record<string, string>
  rtc: Record<string, unknown>
  room: Record<string, unknown>
  webhook?: { urls: string[]; api_key: string }
}

/** Parts of an installation, each changed by a fault. */
interface Installation {
  livekit: LivekitConfig
  recorder: RecorderOptions
  settings: Record<string, string>
}

async function startOwnRecorder(options: RecorderOptions): Promise<Recorder> {
  const recorder = await startRecorder(options)
  onTestFinished(() => recorder.close())
  return recorder
}

describe.skipIf(!IS_FULL_RUN || !HAS_GO)('npm run doctor beside livekit-server', () => {
  let program: string
  let folder: string
  let database: TestDatabase
  let s3: TestS3
  let service: ServiceProcess
  let ports: { service: number; livekit: number; tcp: number; recorder: number }

  beforeAll(async () => {
    program = await buildGoTool(LIVEKIT.program, LIVEKIT.version)
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-doctor-'))
    database = await createTestDatabase()
    s3 = await startTestS3()
    ports = {
      service: await freePort(HOST),
      livekit: await freePort(HOST),
      tcp: await freePort(HOST),
      recorder: await freePort(HOST),
    }
    const { settings } = healthy()
    s3.corsOrigin = settings['PUBLIC_URL']
    const options = { databaseUrl: database.url, role: 'all', port: ports.service } as const
    service = await startServiceProcess({ ...options, env: settings })
  }, BUILD_MS)

  afterAll(async () => {
    await service?.stop('SIGKILL')
    await s3?.close()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  function healthy(): Installation {
    const publicUrl = `http://${HOST}:${ports.service}`
    const url = `http://${HOST}:${ports.livekit}`
    const notified = `${publicUrl}/api/v1/provider-events`
    const codecs = ['audio/opus', 'audio/red', 'video/vp8', 'video/rtx']
    return {
      livekit: {
        keys: { [KEY.apiKey]: KEY.apiSecret, [OTHER.apiKey]: OTHER.apiSecret },
        rtc: { node_ip: HOST, use_external_ip: false, tcp_port: ports.tcp },
        room: { auto_create: false, enabled_codecs: codecs.map((mime) => ({ mime })) },
        webhook: { urls: [notified], api_key: KEY.apiKey },
      },
      recorder: {
        host: HOST,
        port: ports.recorder,
        url,
        apiKeys: { [KEY.apiKey]: KEY.apiSecret },
        webhook: { urls: [notified], apiKey: KEY.apiKey },
        egress: {
          folder: path.join(folder, randomUUID()),
          outputFolder: path.join(folder, 'files'),
        },
      },
      settings: {
        ...TEST_ENVIRONMENT,
        PUBLIC_URL: publicUrl,
        DATABASE_URL: database.url,
        LIVEKIT_URL: url,
        LIVEKIT_PUBLIC_URL: url.replace('http', 'ws'),
        LIVEKIT_API_KEY: KEY.apiKey,
        LIVEKIT_API_SECRET: KEY.apiSecret,
        LIVEKIT_EGRESS_URL: `http://${HOST}:${ports.recorder}`,
        DATA_DIR: folder,
        ...s3Settings(s3),
      },
    }
  }

  async function startLivekit({ keys, rtc, room, webhook }: LivekitConfig): Promise<ChildProcess> {
    const file = path.join(folder, `${randomUUID()}.yaml`)
    const config = { port: ports.livekit, bind_addresses: [HOST], keys, rtc, room, webhook }
    await writeFile(file, stringify(config, { keepUndefined: false }))
    const child = spawn(program, ['--config', file], { stdio: 'ignore' })
    onTestFinished(async () => {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGKILL')) await ended
    })
    const url = `http://${HOST}:${ports.livekit}`
    await waitFor(async () => (await fetch(url).catch(() => undefined))?.ok === true)
    return child
  }

  async function diagnoseWith(break_: (installation: Installation) => void) {
    const installation = healthy()
    break_(installation)
    await startLivekit(installation.livekit)
    await startOwnRecorder(installation.recorder)
    const { stdout } = await runDoctor(['--json'], installation.settings, (config) => ({
      ...openDeps({ ...config, logLevel: 'silent' }),
      findFonts: () => FONTS,
    }))
    const { checks } = JSON.parse(stdout) as { checks: CheckResult[] }
    return checks.filter(({ result }) => result === 'fail' || result === 'warn')
  }

  test.each([1, 2, 3])('finds nothing in an installation without faults (run %i)', async () => {
    expect(await diagnoseWith(() => {})).toEqual([])
  })

  test.each<
    [fault: string, change: (given: Installation) => void, checks: string[], words: RegExp]
  >([
    [
      'LiveKit without a webhook',
      ({ livekit }) => void delete livekit.webhook,
      ['livekit:webhook'],
      /LiveKit sends none.*webhook\.urls/,
    ],
    [
      "LiveKit's webhook at another path",
      ({ livekit }) => void livekit.webhook?.urls.splice(0, 1, `http://${HOST}:${ports.service}/x`),
      ['livekit:webhook'],
      /one came to \/x instead.*webhook\.urls/,
    ],
    [
      "LiveKit's webhook with another key",
      ({ livekit }) => Object.assign(livekit.webhook ?? {}, { api_key: OTHER.apiKey }),
      ['livekit:webhook'],
      /signed with another key.*webhook\.api_key/,
    ],
    [
      'an rtc.node_ip that nobody reaches',
      ({ livekit }) => Object.assign(livekit.rtc, { node_ip: '10.255.255.1' }),
      ['livekit:media'],
      /10\.255\.255\.1.*rtc\.node_ip/,
    ],
    [
      'enabled_codecs without VP8',
      ({ livekit }) =>
        Object.assign(livekit.room, {
          enabled_codecs: [{ mime: 'audio/opus' }, { mime: 'video/h264' }],
        }),
      ['livekit:codecs'],
      /video\/vp8.*room\.enabled_codecs/,
    ],
    [
      'room.max_participants that is too small',
      ({ livekit }) => Object.assign(livekit.room, { max_participants: 3 }),
      ['livekit:participants'],
      /3 participants.*room\.max_participants/,
    ],
    [
      'room.auto_create',
      ({ livekit }) => Object.assign(livekit.room, { auto_create: true }),
      ['livekit:autoCreate'],
      /room\.auto_create/,
    ],
    [
      'another secret of LiveKit',
      ({ livekit }) => Object.assign(livekit.keys, { [KEY.apiKey]: OTHER.apiSecret }),
      ['livekit:api'],
      /refuses our key/,
    ],
    [
      'a WEBHOOK_URL of the recorder that leads elsewhere',
      ({ recorder }) =>
        void recorder.webhook?.urls.splice(0, 1, `http://${HOST}:${ports.service}/x`),
      ['livekit:recorderWebhook'],
      /WEBHOOK_URL/,
    ],
    [
      'a recorder without FFMPEG_PATH',
      ({ recorder }) => Object.assign(recorder.egress, { env: { FFMPEG_PATH: '/nowhere/ffmpeg' } }),
      ['livekit:recording'],
      /FFMPEG_PATH/,
    ],
    [
      'one recorder under two names',
      ({ settings }) => {
        const url = settings['LIVEKIT_EGRESS_URL'] ?? ''
        settings['LIVEKIT_EGRESS_URL'] = `${url},${url.replace(HOST, 'localhost')}`
      },
      ['livekit:recording'],
      /lead to one recorder/,
    ],
    [
      'a recorder with another key',
      ({ recorder }) => Object.assign(recorder, { apiKeys: { [KEY.apiKey]: OTHER.apiSecret } }),
      ['livekit:recording'],
      /refuses the API key/,
    ],
    [
      'a recorder of another LiveKit',
      ({ recorder }) => Object.assign(recorder, { url: `http://${HOST}:1` }),
      ['livekit:recording'],
      /does not answer/,
    ],
    [
      'no recorder at the address',
      ({ settings }) => Object.assign(settings, { LIVEKIT_EGRESS_URL: `http://${HOST}:1` }),
      ['livekit:recording'],
      /ECONNREFUSED/,
    ],
    [
      'wrong S3_EGRESS keys',
      ({ settings }) =>
        Object.assign(settings, {
          S3_EGRESS_ACCESS_KEY_ID: 'nobody',
          S3_EGRESS_SECRET_ACCESS_KEY: 'nothing',
        }),
      ['livekit:recording'],
      /\(403\).*S3_EGRESS_ACCESS_KEY_ID/,
    ],
    [
      'a dead S3_EGRESS_ENDPOINT',
      ({ settings }) => Object.assign(settings, { S3_EGRESS_ENDPOINT: `http://${HOST}:1` }),
      ['livekit:recording'],
      /ECONNREFUSED.*S3_EGRESS_ENDPOINT/,
    ],
    [
      'a dead S3_ENDPOINT',
      ({ settings }) => Object.assign(settings, { S3_ENDPOINT: `http://${HOST}:1` }),
      ['storage:put'],
      /nothing answers at S3_ENDPOINT/,
    ],
    [
      'a LIVEKIT_PUBLIC_URL where nobody answers',
      ({ settings }) => Object.assign(settings, { LIVEKIT_PUBLIC_URL: `ws://${HOST}:1` }),
      ['livekit:autoCreate', 'livekit:signalling'],
      /LIVEKIT_PUBLIC_URL/,
    ],
  ])('names %s, and nothing else', async (_fault, change, expected, words) => {
    const found = await diagnoseWith(change)
    expect(found.map(({ check }) => check)).toEqual(expected)
    expect(found.map(({ detail, mend }) => `${detail}. ${mend}`).join(' ')).toMatch(words)
  })

  test('readiness warns while a bucket refuses a recorder for 30 s, and passes again', async () => {
    const { livekit, recorder: options, settings } = healthy()
    await startLivekit(livekit)
    const { url } = await startOwnRecorder(options)
    const opened = openDeps({ ...loadConfig(settings), logLevel: 'silent' })
    onTestFinished(() => opened.close())
    const { media, storage } = opened.deps
    const room = `refused-${randomUUID()}`
    await media.ensureRoom({ name: room, emptyTimeoutSec: 30, metadata: {} })
    const grant = { mediaRoom: room, identity: 'a', displayName: 'a', lifeSec: 120 }
    const token = await media.signToken({ ...grant, role: 'panelist', rights: ALL_RIGHTS })
    const client = new TestClient(options.url, token)
    onTestFinished(() => client.leave())
    await client.join(CONNECT_MS)
    await client.publish(CONNECT_MS)
    const key = `${randomUUID()}/doctor/${randomUUID()}.capture`
    const output = await storage.egressOutput(key)
    const size = { width: 320, height: 180, frameRate: 10, videoKbps: 100 }
    const order = { mediaRoom: room, recorder: url, identity: undefined, output }
    const { egressId } = await media.startEgress({ ...order, ...size })

    const status = async () => {
      const answer = await fetch(`${settings['PUBLIC_URL']}/health/ready`)
      const { checks } = (await answer.json()) as { checks: Record<string, { status: string }[]> }
      return checks['recorders:delivery']?.[0]?.status
    }
    await waitFor(async () => (await storage.listWithPrefix(`${key}.`)).length > 0, WAIT_MS)
    expect(await status()).toBe('pass')
    s3.fault = ({ method }) =>
      method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined
    onTestFinished(() => {
      s3.fault = undefined
    })
    await waitFor(async () => (await status()) === 'warn', WAIT_MS)
    const { egresses } = await media.listEgress(room, [url])
    expect(egresses[0]?.refusal).toBe('AccessDenied (403)')
    s3.fault = undefined
    await waitFor(async () => (await status()) === 'pass', WAIT_MS)
    await media.stopEgress({ egressId, recorder: url })
    await media.deleteRoom(room)
  })

  test('names the clock of a recorder, not our key', async () => {
    const server = createServer((_request, response) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString()
      const body = { problems: [], code: 'unauthenticated' }
      response
        .writeHead(401, { date, 'content-type': 'application/json' })
        .end(JSON.stringify(body))
    })
    await once(server.listen(0, HOST), 'listening')
    onTestFinished(() => void server.close())
    const url = `http://${HOST}:${(server.address() as AddressInfo).port}`
    const found = await diagnoseWith(({ settings }) => {
      settings['LIVEKIT_EGRESS_URL'] = url
    })
    expect(found).toMatchObject([
      { check: 'livekit:recording', detail: expect.stringContaining('clock of the recorder') },
    ])
    expect(found[0]?.mend).not.toMatch(/key/i)
  })
})
