import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Recorder,
  type RecorderOptions,
  startRecorder,
} from '@interview-room/media-server/src/recorder/recorder.ts'
import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { freePort } from '../local/lib/ports.ts'
import { loadConfig } from '../platform/config/config.ts'
import { ALL_RIGHTS } from '../platform/ports/media.ts'
import { s3Settings, startTestS3, type TestS3 } from '../platform/storage/testing/s3-server.ts'
import { openDeps } from '../service.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { TEST_ENVIRONMENT } from './deps.ts'
import { buildGoTool } from './go-tools.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { waitFor } from './wait-for.ts'

const LIVEKIT = { program: 'github.com/livekit/livekit-server/cmd/server', version: 'v1.13.5' }
const BUILD_MS = 45 * 60_000
const CONNECT_MS = 15_000
const WAIT_MS = 60_000
export const HOST = '127.0.0.1'
export const KEY = { apiKey: 'devkey', apiSecret: 'a-secret-of-at-least-thirty-two-characters' }
/** Known to LiveKit, but not to the service. */
export const OTHER_KEY = {
  apiKey: 'otherkey',
  apiSecret: 'another-secret-of-thirty-two-characters',
}

interface LivekitConfig {
  keys: Record<string, string>
  rtc: Record<string, unknown>
  room: Record<string, unknown>
  turn?: Record<string, unknown>
  webhook?: { urls: string[]; api_key: string }
}

/** Parts of an installation, which a test may change before they start. The service itself has the settings without a fault. */
export interface Installation {
  livekit: LivekitConfig
  recorder: RecorderOptions
  settings: Record<string, string>
}

/** The real livekit-server with our recorder, a bucket and a running service; filled before the first test of the file. */
interface LivekitServer {
  folder: string
  database: TestDatabase
  s3: TestS3
  ports: { service: number; livekit: number; tcp: number; recorder: number }
  /** An installation without faults. */
  healthy(): Installation
  /** Starts LiveKit and the recorder for one test. */
  start(installation: Installation): Promise<Recorder>
}

export function useLivekitServer(): LivekitServer {
  const server = { healthy: () => healthyAt(server) } as LivekitServer
  let service: ServiceProcess

  beforeAll(async () => {
    const program = await buildGoTool(LIVEKIT.program, LIVEKIT.version)
    server.folder = await mkdtemp(path.join(tmpdir(), 'interview-room-livekit-'))
    server.database = await createTestDatabase()
    server.s3 = await startTestS3()
    server.s3.corsOrigin = '*'
    server.ports = {
      service: await freePort(HOST),
      livekit: await freePort(HOST),
      tcp: await freePort(HOST),
      recorder: await freePort(HOST),
    }
    server.start = async ({ livekit, recorder }) => {
      const file = path.join(server.folder, `${randomUUID()}.yaml`)
      const config = { port: server.ports.livekit, bind_addresses: [HOST], ...livekit }
      await writeFile(file, stringify(config, { keepUndefined: false }))
      run(program, ['--config', file])
      const url = `http://${HOST}:${server.ports.livekit}`
      await waitFor(async () => (await fetch(url).catch(() => undefined))?.ok === true)
      const started = await startRecorder(recorder)
      onTestFinished(() => started.close())
      return started
    }
    service = await startServiceProcess({
      databaseUrl: server.database.url,
      role: 'all',
      port: server.ports.service,
      env: server.healthy().settings,
    })
  }, BUILD_MS)

  afterAll(async () => {
    await service?.stop('SIGKILL')
    await server.s3?.close()
    await server.database?.drop()
    await rm(server.folder, { recursive: true, force: true })
  })

  return server
}

function healthyAt({ folder, database, s3, ports }: LivekitServer): Installation {
  const publicUrl = `http://${HOST}:${ports.service}`
  const url = `http://${HOST}:${ports.livekit}`
  const notified = `${publicUrl}/api/v1/provider-events`
  const codecs = ['audio/opus', 'audio/red', 'video/vp8', 'video/rtx']
  return {
    livekit: {
      keys: { [KEY.apiKey]: KEY.apiSecret, [OTHER_KEY.apiKey]: OTHER_KEY.apiSecret },
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

/** Runs a program until the test ends. */
export function run(
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  const child = spawn(file, args, { stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
  })
  return child
}

/** True if something listens at this port. */
export async function connects(port: number): Promise<boolean> {
  const socket = connect(port, HOST)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** The media room of a person who sends, and the recording of it. */
export async function startRecording(
  { settings, recorder: options }: Installation,
  recorder: string,
) {
  const opened = openDeps({ ...loadConfig(settings), logLevel: 'silent' })
  onTestFinished(() => opened.close())
  const { media, storage } = opened.deps
  const room = `recorded-${randomUUID()}`
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
  const order = { mediaRoom: room, recorder, identity: undefined, output }
  const { egressId } = await media.startEgress({ ...order, ...size })
  const isStored = async () => (await storage.listWithPrefix(`${key}.`)).length > 0
  await waitFor(isStored, WAIT_MS)
  async function stop(): Promise<void> {
    await media.stopEgress({ egressId, recorder })
    await media.deleteRoom(room)
  }
  return { media, room, stop }
}
