import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type MediaServer, startMediaServer } from '@interview-room/media-server/src/server.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createReadiness } from '../api/operations/health.ts'
import { createScrape } from '../domain/monitoring/scrape.ts'
import { freePort } from '../local/lib/ports.ts'
import { loadConfig } from '../platform/config/config.ts'
import { systemClock } from '../platform/lib/clock.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { openDeps } from '../service.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts'
import { probeMediaJob } from './probe-media.job.ts'

const HOST = '127.0.0.1'
const KEY = { apiKey: 'testkey', apiSecret: 'a-secret-that-only-tests-know-of' }

let folder: string
let database: TestDatabase
let media: MediaServer
let service: ServiceProcess
let settings: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-probe-'))
  database = await createTestDatabase()
  const port = await freePort(HOST)
  const publicUrl = `http://${HOST}:${port}`
  const storage = path.join(folder, 'storage')
  media = await startMediaServer({
    host: HOST,
    port: 0,
    apiKeys: { [KEY.apiKey]: KEY.apiSecret },
    webhook: { urls: [`${publicUrl}/api/v1/provider-events`], apiKey: KEY.apiKey },
    egress: { folder: path.join(folder, 'work'), outputFolder: storage, chunkSec: 0.3 },
  })
  settings = {
    ...TEST_ENVIRONMENT,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: database.url,
    LIVEKIT_URL: media.url,
    LIVEKIT_PUBLIC_URL: media.url,
    LIVEKIT_API_KEY: KEY.apiKey,
    LIVEKIT_API_SECRET: KEY.apiSecret,
    RECORDING_FROM_CAPTURES: 'true',
    MEDIA_PROBE_EVERY_SEC: '60',
    DATA_DIR: folder,
    STORAGE_DIR: storage,
  }
  const env = { ...settings, MEDIA_PROBE_EVERY_SEC: '0' }
  service = await startServiceProcess({ databaseUrl: database.url, role: 'api', port, env })
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await media?.close()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

function open(changed: Record<string, string> = {}): Deps {
  const opened = openDeps(loadConfig({ ...settings, ...changed }))
  onTestFinished(() => opened.close())
  return opened.deps
}

async function probe(deps: Deps, { signal } = new AbortController()): Promise<void> {
  const log = pino({ level: 'silent' })
  await probeMediaJob(deps).run({ key: 'all', payload: {}, attempt: 1, signal, log })
}

async function reported() {
  const deps = open()
  const metrics = createMetrics()
  const scrape = createScrape({ metrics, db: deps.db, pools: {}, repeatingKinds: [] })
  const { text } = await scrape()
  const ready = await createReadiness({ ...deps, clock: systemClock })()
  return {
    check: ready.checks['media:roundTrip']?.[0],
    success: /^interview_room_media_probe_success (\d)$/m.exec(text)?.[1],
    duration: Number(/^interview_room_media_probe_duration_seconds (\S+)$/m.exec(text)?.[1]),
  }
}

test('reports nothing before the first probe', async () => {
  expect(await reported()).toEqual({ check: undefined, success: undefined, duration: NaN })
})

test('reports media that come through', async () => {
  await probe(open())
  const { check, success, duration } = await reported()
  expect({ check, success }).toEqual({ check: undefined, success: '1' })
  expect(duration).toBeGreaterThan(0)
})

test('warns after the second failure with the name of the check, until media come through again', async () => {
  const broken = { LIVEKIT_PUBLIC_URL: `ws://${HOST}:1` }
  await probe(open(broken))
  expect(await reported()).toMatchObject({ check: undefined, success: '0' })
  await probe(open(broken))
  expect((await reported()).check).toMatchObject({
    status: 'warn',
    output: 'The last 2 probes of media failed at livekit:signalling: npm run doctor says why.',
  })
  await probe(open())
  expect(await reported()).toMatchObject({ check: undefined, success: '1' })
})

test('sends nothing where probes are off', async () => {
  await database.db`delete from media_probes`
  await probe(open({ MEDIA_PROBE_EVERY_SEC: '0' }))
  expect((await reported()).success).toBeUndefined()
})

test('says nothing of media where a stop of the worker cuts a probe off', async () => {
  const stopping = new AbortController()
  const deps = open()
  const { media: provider } = deps
  const ensureRoom: Deps['media']['ensureRoom'] = async (room) => {
    stopping.abort()
    return provider.ensureRoom(room)
  }
  await probe({ ...deps, media: { ...provider, ensureRoom } }, stopping)
  expect((await reported()).success).toBeUndefined()
})
