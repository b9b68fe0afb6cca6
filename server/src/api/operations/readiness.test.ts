import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../api/http/app-types.ts'
import { createApp } from '../../app.ts'
import { type Config, loadConfig } from '../../platform/config/config.ts'
import { createSecretBox } from '../../platform/lib/secret-box.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { ensureServiceKey } from '../../platform/service-keys/ensure-service-key.ts'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { createFakeMedia, type FakeMedia } from '../../testing/fake-media.ts'

let database: TestDatabase
let media: FakeMedia
let logged: string[]
let now: () => Date
let apps: { close(): unknown }[]

beforeEach(async () => {
  database = await createTestDatabase()
  media = createFakeMedia()
  logged = []
  now = () => new Date()
  apps = []
})
afterEach(async () => {
  for (const app of apps) await app.close()
  await database.drop()
})

interface Setup extends Partial<Deps> {
  env?: Record<string, string>
}

/** Starts the service with these settings. Returns functions that probe it. */
async function start({ env = {}, ...overrides }: Setup = {}) {
  const config: Config = loadConfig({ ...TEST_ENVIRONMENT, ...env })
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(line) })
  const deps = createTestDeps({
    db: database.db,
    media,
    config,
    log,
    clock: () => now(),
    ...overrides,
  })
  // A pool connects at its first statement.
  await database.db`select 1`
  const app: App = await createApp(deps)
  apps.push(app)
  return { deps, ready: () => readinessOf(app) }
}

async function readinessOf(app: App) {
  const answer = await app.inject('/health/ready')
  const { status, checks } = answer.json()
  return { code: answer.statusCode, status, checks }
}

const linesOf = (check: string) =>
  logged.map((line) => JSON.parse(line)).filter((line) => line.check === check)

/** Moves the clock forward, so that the checks run again. */
function laterBySec(sec: number): void {
  const before = now
  now = () => new Date(before().getTime() + sec * 1000)
}

const warns = (name: string) => [{ status: 'warn', output: expect.stringContaining(name) }]

describe('the readiness checks report', () => {
  test('nothing on a correct set-up', async () => {
    const { ready } = await start()
    expect(await ready()).toMatchObject({ code: 200, status: 'pass' })
    expect(logged.filter((line) => line.includes('readiness'))).toEqual([])
  })

  test('a missing ffmpeg on a worker', async () => {
    const env = { FFMPEG_PATH: '/nowhere/ffmpeg' }
    const { ready } = await start({ env })
    const output = expect.stringContaining('FFMPEG_PATH')
    const checks = { 'ffmpeg:program': [{ status: 'warn', output }] }
    expect(await ready()).toMatchObject({ code: 200, status: 'warn', checks })
    const api = await start({ env: { ...env, ROLE: 'api' } })
    expect(await api.ready()).toMatchObject({ code: 200, status: 'pass' })
  })

  test.skipIf(process.platform !== 'linux')('a disk that is nearly full', async () => {
    // A directory on which nothing can be stored.
    const full = { WORK_DIR: '/proc', STORAGE_DIR: '/proc/storage' }
    const { ready } = await start({ env: full })
    const checks = {
      'machine:workDir': warns('WORK_DIR'),
      'machine:storageDir': warns('STORAGE_DIR'),
    }
    expect(await ready()).toMatchObject({ code: 200, status: 'warn', checks })
    const api = await start({ env: { WORK_DIR: '/proc', ROLE: 'api' } })
    expect(await api.ready()).toMatchObject({ code: 200, status: 'pass' })
  })

  test('a directory for temporary files that is not writable', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'interview-room-checks-')), 'file')
    await writeFile(file, '')
    const { ready } = await start({ env: { WORK_DIR: file } })
    const output = expect.stringContaining('WORK_DIR cannot be written')
    expect(await ready()).toMatchObject({
      code: 200,
      status: 'warn',
      checks: { 'machine:workDir': [{ status: 'warn', output }] },
    })
    await rm(path.dirname(file), { recursive: true })
  })

  test('a wrong key of LiveKit, until it is corrected', async () => {
    media.onCall = () => {
      throw new MediaError('unauthenticated 401', { isUnauthorized: true })
    }
    const { ready } = await start()
    const output = 'LiveKit refuses our key: check LIVEKIT_API_KEY and LIVEKIT_API_SECRET.'
    expect(await ready()).toMatchObject({
      code: 200,
      status: 'warn',
      checks: { 'media:responseTime': [{ status: 'warn', output }] },
    })
    await ready()
    expect(linesOf('media:responseTime')).toMatchObject([
      { level: 40, status: 'warn', reason: output, msg: 'readiness check warns' },
    ])

    media.onCall = undefined
    laterBySec(2)
    expect(await ready()).toMatchObject({ status: 'pass' })
    expect(linesOf('media:responseTime')[1]).toMatchObject({
      level: 30,
      msg: 'readiness check passes again',
    })
  })

  test('a LiveKit that is down', async () => {
    media.onCall = () => {
      throw new MediaError('ECONNREFUSED')
    }
    const { ready } = await start()
    const output = 'LiveKit does not answer at LIVEKIT_URL.'
    expect(await ready()).toMatchObject({
      code: 200,
      checks: { 'media:responseTime': [{ status: 'warn', output }] },
    })
    expect(linesOf('media:responseTime')).toMatchObject([{ reason: output }])
  })

  test('notifications that do not arrive while people are inside', async () => {
    const { deps, ready } = await start()
    const acting = await createActingTenant(deps)
    const { tenantId } = acting
    const { roomId } = await acting.addRoom()
    const enter = (ago: string) => database.db`
      insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                   entered_at)
      values (${tenantId}, ${roomId}, ${Math.floor(Math.random() * 1e9)}, 'x', ${randomUUID()}, 'x',
              'panelist', clock_timestamp() - ${ago}::interval)
    `
    await enter('10 seconds')
    expect(await ready()).toMatchObject({ status: 'pass' })

    await enter('40 seconds')
    // Notifications of a sandbox and of a recorder prove nothing about LiveKit.
    await database.db`
      insert into provider_notifications (id, event, body)
      values ('EV_simulated_1', 'participant_joined', '{}'), ('EV_2', 'egress_started', '{}')
    `
    laterBySec(61)
    await heartbeat()
    const warned = await ready()
    expect(warned).toMatchObject({
      code: 200,
      checks: {
        'livekit:notifications': [
          { status: 'warn', output: expect.stringContaining('webhook.urls and webhook.api_key') },
        ],
      },
    })
    expect(linesOf('livekit:notifications')).toMatchObject([{ level: 40 }])

    await database.db`
      insert into provider_notifications (id, event, body) values ('EV_1', 'participant_joined', '{}')
    `
    laterBySec(61)
    expect(Object.keys((await ready()).checks)).not.toContain('livekit:notifications')
  })

  // contract: getReadiness › 503 with a key that does not open the secrets; 200 with `warn` for
  //   what else is set up wrongly
  test('a foreign SECRETS_KEY, which stops the service', async () => {
    await ensureServiceKey(createTestDeps({ db: database.db }))
    const { ready } = await start({ secretBox: createSecretBox(Buffer.alloc(32, 8)) })
    expect(await ready()).toMatchObject({
      code: 503,
      status: 'fail',
      checks: {
        'secrets:key': [{ status: 'fail', output: expect.stringContaining('SECRETS_KEY is not') }],
      },
    })
    expect(linesOf('secrets:key')).toMatchObject([{ level: 50, msg: 'readiness check fails' }])
  })

  test('earlier findings while the database is unreachable, and check again soon', async () => {
    await ensureServiceKey(createTestDeps({ db: database.db }))
    const { ready } = await start({ secretBox: createSecretBox(Buffer.alloc(32, 8)) })
    expect(Object.keys((await ready()).checks)).toContain('secrets:key')
    laterBySec(61)
    await database.db`alter table service_keys rename to out_of_reach`
    expect(Object.keys((await ready()).checks)).toContain('secrets:key')

    await database.db`alter table out_of_reach rename to service_keys`
    await database.db`delete from service_keys`
    laterBySec(6)
    expect(Object.keys((await ready()).checks)).not.toContain('secrets:key')
  })

  test.each([
    [
      'links to localhost from a host that others reach',
      { HOST: '0.0.0.0', PUBLIC_URL: '' },
      ['configuration:publicUrl', 'set PUBLIC_URL'],
    ],
    [
      'links to the address of this process, although a proxy is before it',
      { TRUST_PROXY: 'true', PUBLIC_URL: '', LIVEKIT_PUBLIC_URL: 'ws://localhost:7880' },
      ['configuration:publicUrl', 'set PUBLIC_URL'],
    ],
    [
      'ws:// media in https:// pages',
      { LIVEKIT_PUBLIC_URL: 'ws://media.test' },
      ['configuration:mediaUrl', 'wss://'],
    ],
    [
      'media at localhost for pages elsewhere',
      { PUBLIC_URL: 'http://rooms.test', LIVEKIT_PUBLIC_URL: 'ws://localhost:7880' },
      ['configuration:mediaUrl', 'localhost'],
    ],
  ] as const)('%s', async (_what, env, [check, words]) => {
    const { ready } = await start({ env })
    const { code, status, checks } = await ready()
    expect({ code, status }).toEqual({ code: 200, status: 'warn' })
    expect(checks[check]).toMatchObject([
      { status: 'warn', output: expect.stringContaining(words) },
    ])
    expect(linesOf(check)).toMatchObject([{ level: 40 }])
  })

  test('nothing for a service on a single machine', async () => {
    const env = { PUBLIC_URL: '', LIVEKIT_PUBLIC_URL: 'ws://localhost:7880' }
    const { ready } = await start({ env })
    expect(await ready()).toMatchObject({ status: 'pass' })
  })

  test('a missing worker, once one has had a minute to start', async () => {
    const { ready } = await start()
    expect(await ready()).toMatchObject({ status: 'pass' })
    laterBySec(61)
    expect(await ready()).toMatchObject({
      code: 200,
      status: 'warn',
      checks: {
        'worker:heartbeat': [{ status: 'warn', output: expect.stringContaining('No worker') }],
      },
    })
    expect(linesOf('worker:heartbeat')).toMatchObject([{ level: 40 }])

    await heartbeat()
    laterBySec(61)
    expect(Object.keys((await ready()).checks)).not.toContain('worker:heartbeat')
    await database.db`update jobs set due_at = clock_timestamp() - interval '2 minutes'`
    laterBySec(61)
    expect(Object.keys((await ready()).checks)).toContain('worker:heartbeat')
  })

  test('a clock that is off by more than two seconds', async () => {
    laterBySec(1)
    const { deps, ready } = await start()
    expect(await ready()).toMatchObject({ status: 'pass' })
    laterBySec(-61)
    const { code, checks } = await ready()
    expect(code).toBe(200)
    const [skew] = checks['clock:skew']
    expect(skew).toMatchObject({ status: 'warn', observedUnit: 'ms' })
    expect(skew.observedValue).toBeLessThan(-59_000)
    expect(skew.observedValue).toBeGreaterThan(-70_000)
    expect(linesOf('clock:skew')).toMatchObject([{ level: 40 }])
    expect(
      await deps.metrics.registry.getSingleMetricAsString('interview_room_check_state'),
    ).toContain('check="clock:skew"} 1')
  })
})

/** The row that a running worker leaves. */
async function heartbeat(): Promise<void> {
  await database.db`
    insert into jobs (kind, key, due_at)
    values ('reconcile-attendance', 'all', clock_timestamp() + interval '10 seconds')
  `
}
