import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Recorder,
  type RecorderOptions,
  startRecorder,
} from '@interview-room/media-server/src/recorder/recorder.ts'
import {
  type MediaServer,
  type MediaServerOptions,
  startMediaServer,
} from '@interview-room/media-server/src/server.ts'
import { EmulatedNetwork } from '@interview-room/media-server/test/faulty-server/emulated-network-transport.ts'
import { CLEAR_NETWORK } from '@interview-room/media-server/test/faulty-server/emulated-network.ts'
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { freePort } from '../local/lib/ports.ts'
import type { CheckResult } from '../platform/checks/check.ts'
import { identifier } from '../platform/db/db.ts'
import { type Clock, systemClock } from '../platform/lib/clock.ts'
import { s3Settings, startTestS3, type TestS3 } from '../platform/storage/testing/s3-server.ts'
import { openDeps } from '../service.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { type FaultProxy, startFaultProxy } from '../testing/fault-proxy.ts'
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts'
import { runDoctor } from './run-doctor.ts'

const HOST = '127.0.0.1'
const KEY = { apiKey: 'testkey', apiSecret: 'a-secret-that-only-tests-know-of' }

let dataDir: string
let database: TestDatabase
let wayToDatabase: FaultProxy
let media: MediaServer
let s3: TestS3
let service: ServiceProcess
/** Settings of a complete installation without faults. */
let settings: Record<string, string>

function egressIn(outputFolder: string) {
  const folder = path.join(dataDir, randomUUID())
  return { folder, outputFolder: path.join(dataDir, outputFolder), chunkSec: 0.3 }
}

async function startMedia(options: Partial<MediaServerOptions> = {}): Promise<MediaServer> {
  return startMediaServer({
    host: HOST,
    port: 0,
    apiKeys: { [KEY.apiKey]: KEY.apiSecret },
    // Longer than the doctor's patience: on busy cores two clients have taken more than the usual 15 s.
    joinTimeoutMs: 90_000,
    webhook: { urls: [`${settings['PUBLIC_URL']}/api/v1/provider-events`], apiKey: KEY.apiKey },
    egress: egressIn('files'),
    ...options,
  })
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'interview-room-doctor-'))
  database = await createTestDatabase()
  wayToDatabase = await startFaultProxy(database.url)
  const port = await freePort(HOST)
  const publicUrl = `http://${HOST}:${port}`
  settings = { ...TEST_ENVIRONMENT, PUBLIC_URL: publicUrl, DATABASE_URL: wayToDatabase.url }
  media = await startMedia()
  s3 = await startTestS3()
  s3.corsOrigin = publicUrl
  settings = {
    ...settings,
    LIVEKIT_URL: media.url,
    LIVEKIT_PUBLIC_URL: media.url,
    LIVEKIT_API_KEY: KEY.apiKey,
    LIVEKIT_API_SECRET: KEY.apiSecret,
    RECORDING_FROM_CAPTURES: 'true',
    DATA_DIR: dataDir,
    ...s3Settings(s3),
  }
  service = await startServiceProcess({
    databaseUrl: database.url,
    role: 'all',
    port,
    env: settings,
  })
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await media?.close()
  await s3?.close()
  await wayToDatabase?.close()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** The machine's fonts are no part of the installation. */
const FONTS = { latin: 'a.ttf', eastAsian: 'b.ttc', thai: 'c.ttf', rightToLeft: 'a.ttf' }

/** Findings by check, for an installation with these changed settings. */
async function doctor(
  changed: Record<string, string> = {},
  notifiedMs?: number,
  // Other suites take the cores meanwhile.
  { clock = systemClock, patience = 3 }: { clock?: Clock; patience?: number } = {},
) {
  const answer = await runDoctor(['--json'], { ...settings, ...changed }, (config) => ({
    ...openDeps(config, clock),
    notifiedMs,
    patience,
    findFonts: () => FONTS,
  }))
  const { checks } = JSON.parse(answer.stdout) as { checks: CheckResult[] }
  onTestFailed(() => void process.stdout.write(answer.stdout))
  const byName = new Map(checks.map((finding) => [finding.check, finding]))
  const failed = checks.filter(({ result }) => result === 'fail').map(({ check }) => check)
  return { ...answer, checks, byName, failed }
}

const slowClock = () => new Date(Date.now() - 20 * 60_000)

/** A run sends and records media. While other suites keep the cores busy, one may take longer than an operator would wait. */
const ON_BUSY_CORES = { retry: 2 }

describe('npm run doctor', ON_BUSY_CORES, () => {
  test('passes every check of an installation without faults', async () => {
    const { checks, exitCode } = await doctor()
    const found = checks.filter(({ result }) => result !== 'ok')
    expect(found).toEqual([])
    expect(checks.length).toBeGreaterThan(20)
    expect(exitCode).toBe(0)
    expect(checks.map(({ check }) => check)).not.toContain('tracing:collector')
    expect([...s3.objects.keys()].filter((key) => key.includes('/doctor/'))).toEqual([])
  })

  test('judges by the time of the database, as the service does', async () => {
    expect((await doctor({}, undefined, { clock: slowClock })).failed).toEqual([])
  })

  test('prints a line for each check, and no secret', async () => {
    const given = {
      ...settings,
      S3_SECRET_ACCESS_KEY: 'another-secret-of-nobody',
      FFMPEG_PATH: '/nowhere/ffmpeg',
    }
    const { stdout, exitCode } = await runDoctor([], given, (config) => ({
      ...openDeps(config),
      findFonts: () => FONTS,
    }))
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^ok {4}database:schema +the schema is that of this release$/m)
    expect(stdout).toMatch(
      /^FAIL {2}storage:put .*\. Check S3_BUCKET, S3_ENDPOINT, the keys and the rights/m,
    )
    expect(stdout).toMatch(/^skip {2}storage:cors /m)
    expect(stdout).toMatch(/\n2 failed, 0 to look at, 6 skipped\.\n$/)
    expect(stdout).not.toMatch(/[.?]\. /)
    expect(stdout).not.toMatch(/another-secret-of-nobody|X-Amz-Signature/)
    expect(stdout).not.toContain(KEY.apiSecret)
  })
})

/** Timeout for a notification that does not come. */
const NOT_LONG_MS = 100
const NOWHERE = `http://${HOST}:1`

/** The address of a database without anything in it, for one test. */
async function emptyDatabase(): Promise<URL> {
  const name = `doctor_${randomUUID().replaceAll('-', '')}`
  await database.db`create database ${identifier(name)}`
  onTestFinished(async () => {
    await database.db`drop database ${identifier(name)} with (force)`
  })
  return Object.assign(new URL(database.url), { pathname: name })
}

/** The address of a recorder that has these problems, and refuses every order. */
async function refusingRecorder(problems: readonly string[], code: string): Promise<string> {
  const server = createServer((request, response) => {
    const isHealth = request.url === '/health'
    const health = problems.length > 0 ? 503 : 200
    response
      .writeHead(isHealth ? health : 429, { 'content-type': 'application/json' })
      .end(JSON.stringify(isHealth ? { problems } : { code, msg: 'no' }))
  })
  await once(server.listen(0, HOST), 'listening')
  onTestFinished(() => void server.close())
  return `http://${HOST}:${(server.address() as AddressInfo).port}`
}

describe('npm run doctor fails', ON_BUSY_CORES, () => {
  // Parts that do not depend on each other are wrong at the same time: each run sends and records media.
  test.each<[string, Record<string, string>, failed: string]>([
    [
      'SECRETS_KEY, the pages, ffmpeg, WORK_DIR, the keys of the bucket and LIVEKIT_URL',
      {
        SECRETS_KEY: Buffer.alloc(32, 8).toString('base64'),
        PAGES_DIR: '/nowhere',
        FFMPEG_PATH: '/nowhere/ffmpeg',
        WORK_DIR: '/dev/null/work',
        S3_ACCESS_KEY_ID: 'nobody',
        LIVEKIT_URL: NOWHERE,
      },
      'keys:service pages:responseTime ffmpeg:program machine:workDir storage:put livekit:api',
    ],
    [
      'a WORK_DIR below /proc, STORAGE_DIR and the LiveKit key',
      {
        WORK_DIR: '/proc/work',
        S3_BUCKET: '',
        STORAGE_DIR: '/etc/passwd/files',
        LIVEKIT_API_SECRET: 'another-secret',
      },
      'machine:workDir storage:put livekit:api',
    ],
    [
      'the public address of the bucket and the recorder',
      { S3_PUBLIC_ENDPOINT: NOWHERE, LIVEKIT_EGRESS_URL: NOWHERE },
      'storage:signedGet livekit:recording',
    ],
    ['LIVEKIT_PUBLIC_URL', { LIVEKIT_PUBLIC_URL: NOWHERE }, 'livekit:signalling'],
  ])('when these are wrong, and in nothing else: %s', async (_what, changed, expected) => {
    const { failed, exitCode, checks } = await doctor(changed)
    expect(failed.join(' ')).toBe(expected)
    expect(exitCode).toBe(1)
    const failures = checks.filter(({ result }) => result === 'fail')
    expect(failures.filter(({ mend = '' }) => mend.length < 10)).toEqual([])
  })

  test('when one of two recorders is wrong, and names that one', async () => {
    const { failed, byName } = await doctor({ LIVEKIT_EGRESS_URL: `${media.url},${NOWHERE}` })
    expect(failed).toEqual(['livekit:recording'])
    const detail = byName.get('livekit:recording')?.detail
    expect(detail).toContain(NOWHERE)
    expect(detail).not.toContain(media.url)
  })

  test('when a recorder takes no orders, and quotes its reason', async () => {
    const problems = ['the disk of EGRESS_DIR is nearly full']
    const recorder = await refusingRecorder(problems, 'resource_exhausted')
    const { failed, byName } = await doctor({ LIVEKIT_EGRESS_URL: recorder })
    expect(failed).toEqual(['livekit:recording'])
    expect(byName.get('livekit:recording')?.detail).toContain(`${recorder}: ${problems.join()}`)
  })

  test('when a recorder writes to another folder than the service reads', async () => {
    const recorder = await refusingRecorder([], 'invalid_argument')
    const ofFolder = { S3_BUCKET: '', STORAGE_DIR: dataDir, LIVEKIT_EGRESS_URL: recorder }
    const { byName } = await doctor(ofFolder)
    expect(byName.get('livekit:recording')).toMatchObject({
      result: 'fail',
      detail: expect.stringContaining(`EGRESS_OUTPUT_DIR of a recorder must be ${dataDir}`),
    })
  })

  test('when the bucket has no CORS rule for the pages', async () => {
    s3.corsOrigin = 'https://elsewhere.test'
    const { failed, byName } = await doctor()
    s3.corsOrigin = settings['PUBLIC_URL']
    expect(failed).toEqual(['storage:cors'])
    expect(byName.get('storage:cors')?.detail).toContain('https://elsewhere.test')
  })

  test('when the database does not answer, and skips the checks that need it', async () => {
    const { byName, failed } = await doctor({ DATABASE_URL: `postgres://nobody@${HOST}:1/none` })
    expect(failed).toEqual(['database:responseTime'])
    for (const check of [
      'database:schema',
      'keys:service',
      'clock:skew',
      'secrets:key',
      'address:service',
      'livekit:webhook',
    ]) {
      expect(byName.get(check)?.result).toBe('skipped')
    }
    expect(byName.get('storage:put')?.result).toBe('ok')
  })

  test('when a running service has lost its database', async () => {
    await wayToDatabase.refuse()
    const { byName, failed } = await doctor()
    await wayToDatabase.mend()
    expect(failed).toEqual(['database:responseTime'])
    expect(byName.get('address:service')?.result).toBe('skipped')
  })

  test('when the database was never migrated', async () => {
    const { byName } = await doctor({ DATABASE_URL: (await emptyDatabase()).href })
    expect(byName.get('database:schema')).toMatchObject({
      result: 'fail',
      mend: 'Run "npm run migrate".',
    })
  })

  test('when the user of the database may not create what a migration needs', async () => {
    const url = await emptyDatabase()
    const name = url.pathname.slice(1)
    await database.db`create role ${identifier(name)} login password 'secret'`
    const user = { username: name, password: 'secret' }
    const { byName } = await doctor({ DATABASE_URL: Object.assign(url, user).href })
    await database.db`drop role ${identifier(name)}`
    expect(byName.get('database:schema')?.mend).toMatch(/^Grant it "create" on the database, or/)
  })

  test('when no worker runs and PUBLIC_URL leads to a service on another database', async () => {
    const other = await createTestDatabase()
    const { failed, byName } = await doctor({ DATABASE_URL: other.url }, NOT_LONG_MS)
    await other.drop()
    expect(failed).toEqual(
      expect.arrayContaining(['keys:service', 'worker:heartbeat', 'address:service']),
    )
    expect(byName.get('address:service')?.detail).toContain('another database')
  })

  test('when browsers give no camera to PUBLIC_URL, and nothing answers there', async () => {
    const { byName } = await doctor({ PUBLIC_URL: 'http://rooms.invalid' })
    expect(byName.get('address:https')?.result).toBe('fail')
    expect(byName.get('address:service')?.detail).toMatch(/^nothing answers at PUBLIC_URL/)
  })

  test('when LiveKit makes rooms by joining, records nothing and notifies nobody', async () => {
    const careless = await startMediaServer({
      host: HOST,
      port: 0,
      apiKeys: { [KEY.apiKey]: KEY.apiSecret },
      autoCreate: true,
    })
    const other = { LIVEKIT_URL: careless.url, LIVEKIT_PUBLIC_URL: careless.url }
    const { failed, byName } = await doctor(other, NOT_LONG_MS)
    await careless.close()
    expect(failed).toEqual(['livekit:webhook', 'livekit:autoCreate', 'livekit:recording'])
    expect(byName.get('livekit:webhook')?.detail).toMatch(/the service takes ours there/)
  })
})

/** Long enough for a notification that comes. */
const NOTIFIED_MS = 5_000

async function startOwnRecorder(changed: Partial<RecorderOptions> = {}): Promise<Recorder> {
  const recorder = await startRecorder({
    host: HOST,
    port: 0,
    url: media.url,
    apiKeys: { [KEY.apiKey]: KEY.apiSecret },
    webhook: { urls: [`${settings['PUBLIC_URL']}/api/v1/provider-events`], apiKey: KEY.apiKey },
    egress: egressIn(randomUUID()),
    ...changed,
  })
  onTestFinished(() => recorder.close())
  return recorder
}

/** Settings of a media server for one test, whose address browsers get, too. */
function addressesOf(server: MediaServer): Record<string, string> {
  onTestFinished(() => server.close())
  return { LIVEKIT_URL: server.url, LIVEKIT_PUBLIC_URL: server.url }
}

describe('npm run doctor goes all the way, and', ON_BUSY_CORES, () => {
  test('passes with a recorder of its own, which leaves nothing in the bucket', async () => {
    const recorder = await startOwnRecorder()
    const { checks } = await doctor({ LIVEKIT_EGRESS_URL: recorder.url }, NOTIFIED_MS)
    expect(checks.filter(({ result }) => result !== 'ok')).toEqual([])
    expect([...s3.objects.keys()].filter((key) => key.includes('/doctor/'))).toEqual([])
  })

  test.each<[fault: string, settings: Record<string, string>, detail: RegExp, mend: string]>([
    [
      'wrong S3_EGRESS keys',
      { S3_EGRESS_ACCESS_KEY_ID: 'nobody', S3_EGRESS_SECRET_ACCESS_KEY: 'another-secret' },
      /cannot store what it records \(.+ \(403\)\)$/,
      'S3_EGRESS_ACCESS_KEY_ID',
    ],
    [
      'a dead S3_EGRESS_ENDPOINT',
      { S3_EGRESS_ENDPOINT: NOWHERE },
      /cannot store what it records \(ECONNREFUSED\)$/,
      'S3_EGRESS_ENDPOINT',
    ],
  ])('names %s', async (_fault, changed, detail, mend) => {
    const { failed, byName } = await doctor(changed)
    expect(failed).toEqual(['livekit:recording'])
    const found = byName.get('livekit:recording')
    expect(found?.detail).toMatch(detail)
    expect(found?.mend).toContain(mend)
  })

  test('names a WEBHOOK_URL of the recorder that leads elsewhere', async () => {
    const webhook = { urls: [`${settings['PUBLIC_URL']}/elsewhere`], apiKey: KEY.apiKey }
    const recorder = await startOwnRecorder({ webhook })
    const { failed, byName } = await doctor({ LIVEKIT_EGRESS_URL: recorder.url }, NOTIFIED_MS)
    expect(failed).toEqual(['livekit:recorderWebhook'])
    expect(byName.get('livekit:recorderWebhook')).toMatchObject({
      detail: expect.stringContaining(recorder.url),
      mend: expect.stringContaining('WEBHOOK_URL'),
    })
  })

  test('names a recorder without ffmpeg', async () => {
    const env = { FFMPEG_PATH: '/nowhere/ffmpeg' }
    const recorder = await startOwnRecorder({ egress: { ...egressIn(randomUUID()), env } })
    const { failed, byName } = await doctor({ LIVEKIT_EGRESS_URL: recorder.url })
    expect(failed).toEqual(['livekit:recording'])
    expect(byName.get('livekit:recording')?.detail).toContain('FFMPEG_PATH names no program')
  })

  test('names one recorder under two addresses', async () => {
    const recorder = await startOwnRecorder()
    const twin = recorder.url.replace(HOST, 'localhost')
    const { failed, byName } = await doctor({ LIVEKIT_EGRESS_URL: `${recorder.url},${twin}` })
    expect(failed).toEqual(['livekit:recording'])
    expect(byName.get('livekit:recording')?.detail).toContain(`${recorder.url} and ${twin}`)
  })

  test.each([
    ['recorder', 'LIVEKIT_EGRESS_URL', 'livekit:recording'],
    ['LiveKit', 'LIVEKIT_URL', 'livekit:api'],
  ])('names the wrong clock of %s instead of a key', async (_whose, setting, check) => {
    const server = createServer((_request, response) => {
      const date = new Date(Date.now() - 3_600_000).toUTCString()
      response.writeHead(401, { date, 'content-type': 'application/json' })
      response.end(JSON.stringify({ problems: [], code: 'unauthenticated' }))
    })
    await once(server.listen(0, HOST), 'listening')
    onTestFinished(() => void server.close())
    const url = `http://${HOST}:${(server.address() as AddressInfo).port}`
    const { failed, byName } = await doctor({ [setting]: url })
    expect(failed).toContain(check)
    expect(byName.get(check)).toMatchObject({
      detail: expect.stringMatching(/ is -36\d\d s off the database's$/),
      mend: expect.stringContaining('NTP'),
    })
  })

  test('names media that do not reach LiveKit, with the addresses it offers', async () => {
    const lost = { ...CLEAR_NETWORK, isBlocked: true }
    const network = new EmulatedNetwork(
      () => lost,
      () => {},
    )
    const rtc = { onSockets: (connection: object) => network.attach(connection) }
    const other = addressesOf(await startMedia({ rtc }))
    const { failed, byName } = await doctor(other, undefined, { patience: 0.2 })
    expect(failed).toEqual(['livekit:media'])
    expect(byName.get('livekit:media')).toMatchObject({
      detail: expect.stringMatching(/^no media reach LiveKit, which offers udp \S+:\d+/),
      mend: expect.stringContaining('rtc.node_ip'),
    })
  })

  test.each<[fault: string, why: RegExp, webhook: () => MediaServerOptions['webhook']]>([
    ['absent', /the service takes ours there/, () => undefined],
    [
      'at another path',
      /one came to \/hooks instead/,
      () => ({ urls: [`${settings['PUBLIC_URL']}/hooks`], apiKey: KEY.apiKey }),
    ],
    [
      'signed by another key',
      /signed with another key/,
      () => ({ urls: [`${settings['PUBLIC_URL']}/api/v1/provider-events`], apiKey: 'other' }),
    ],
  ])(
    'names a webhook of LiveKit that is %s, although the recorder notifies us',
    async (_, why, of) => {
      await database.db`delete from refused_notifications`
      const webhook = of()
      const apiKeys = { [KEY.apiKey]: KEY.apiSecret, other: 'another-secret-that-only-tests-know' }
      const options = { host: HOST, port: 0, apiKeys, ...(webhook && { webhook }) }
      const server = await startMediaServer(options)
      const recorder = await startOwnRecorder({ url: server.url })
      const changed = { ...addressesOf(server), LIVEKIT_EGRESS_URL: recorder.url }
      const { failed, byName } = await doctor(changed, NOT_LONG_MS)
      expect(failed).toEqual(['livekit:webhook'])
      expect(byName.get('livekit:recorderWebhook')?.result).toBe('ok')
      expect(byName.get('livekit:webhook')?.detail).toMatch(why)
      expect(byName.get('livekit:webhook')?.mend).toContain('webhook.urls')
    },
  )
})

test('the doctor of a folder reads and uploads by the service', async () => {
  const folder = path.join(dataDir, 'storage')
  const port = await freePort(HOST)
  const other = await createTestDatabase()
  const publicUrl = `http://${HOST}:${port}`
  const local = await startMedia({
    webhook: { urls: [`${publicUrl}/api/v1/provider-events`], apiKey: KEY.apiKey },
    egress: egressIn('storage'),
  })
  const env = {
    ...settings,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: other.url,
    LIVEKIT_URL: local.url,
    LIVEKIT_PUBLIC_URL: local.url,
    S3_BUCKET: '',
    STORAGE_DIR: folder,
  }
  const process = await startServiceProcess({ databaseUrl: other.url, role: 'all', port, env })
  const { checks } = await doctor(env)
  await process.stop('SIGKILL')
  await local.close()
  await other.drop()
  expect(checks.filter(({ result }) => result !== 'ok')).toEqual([])
})
