import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { openDb } from '../../platform/db/db.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { StorageError } from '../../platform/ports/storage.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createTestDeps, TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { createFakeMedia } from '../../testing/fake-media.ts'
import { createFakeStorage } from '../../testing/fake-storage.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { createReadiness } from './health.ts'

const nowhere = () =>
  openDb({ url: 'postgres://x@127.0.0.1:1/x', poolSize: 1, applicationName: 'tests' })

describe.each(['', '/api/v1'])('%s/health', (prefix) => {
  // contract: getHealth › 200 at the root and under `/api/v1`, not enveloped: `status`, `version`,
  //   `releaseId`, `checks`; touches nothing
  test('passes without any dependency', async () => {
    const db = nowhere()
    const app = await createApp(createTestDeps({ db }))
    const answer = await app.inject(`${prefix}/health`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/health+json')
    expect(answer.json()).toEqual({
      status: 'pass',
      version: '1',
      releaseId: expect.stringMatching(/^\d+\.\d+\.\d+/),
      checks: {},
    })
    await app.close()
  })
})

// Side by side: a silent storage is waited for.
describe.each(['', '/api/v1'])('%s/health/ready', { concurrent: true }, (prefix) => {
  // contract: getReadiness › 503 when the database fails
  test('fails with 503 without the database', async () => {
    const app = await createApp(createTestDeps({ db: nowhere() }))
    const answer = await app.inject(`${prefix}/health/ready`)
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['content-type']).toBe('application/health+json')
    expect(answer.json()).toMatchObject({
      status: 'fail',
      checks: {
        'database:responseTime': [{ status: 'fail' }],
        'media:responseTime': [{ status: 'pass' }],
      },
    })
    await app.close()
  })

  test('fails with 503 without the pages that links lead to', async () => {
    const database = await createTestDatabase()
    const config = loadConfig({ ...TEST_ENVIRONMENT, PAGES_DIR: '/nowhere' })
    const app = await createApp(createTestDeps({ db: database.db, config }))
    const answer = await app.inject(`${prefix}/health/ready`)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({
      status: 'fail',
      checks: { 'pages:responseTime': [{ status: 'fail' }] },
    })
    await app.close()
    await database.drop()
  })

  // contract: getReadiness › `checks`: `componentType`, `observedValue`, `observedUnit`, `output`,
  //   `time`
  test('reports duration, time and reason of each check', async () => {
    const now = new Date('2026-06-01T10:00:00.000Z')
    const app = await createApp(createTestDeps({ db: nowhere(), clock: () => now }))
    const { checks } = (await app.inject(`${prefix}/health/ready`)).json()
    const measured = { observedValue: expect.any(Number), observedUnit: 'ms' }
    const time = now.toISOString()
    expect(checks).toEqual({
      'database:responseTime': [
        {
          status: 'fail',
          componentType: 'datastore',
          ...measured,
          output: 'The database does not answer.',
          time,
        },
      ],
      'media:responseTime': [{ status: 'pass', componentType: 'component', ...measured, time }],
      'storage:responseTime': [{ status: 'pass', componentType: 'component', ...measured, time }],
      'pages:responseTime': [{ status: 'pass', componentType: 'component', ...measured, time }],
    })
    await app.close()
  })

  // contract: getReadiness › 200 with `warn` while media or storage fails; internal details are
  //   never shown
  test('warns with 200 while media fails and storage is silent, and passes again a second later', async () => {
    const database = await createTestDatabase()
    let now = new Date()
    const media = createFakeMedia()
    const storage = createFakeStorage()
    storage.check = () => new Promise(() => {})
    media.onCall = () => {
      throw new MediaError('secret reason')
    }
    const app = await createApp(
      createTestDeps({ db: database.db, media, storage, clock: () => now }),
    )
    // A pool connects at its first statement.
    await database.db`select 1`
    const ask = async () => (await app.inject(`${prefix}/health/ready`)).json()

    // Near the clock of the database, however long all that took: a difference is a warning, too.
    now = new Date()
    const answer = await app.inject(`${prefix}/health/ready`)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain('secret')
    expect(answer.json()).toMatchObject({
      status: 'warn',
      checks: {
        'database:responseTime': [{ status: 'pass' }],
        'media:responseTime': [{ status: 'warn' }],
        'storage:responseTime': [
          {
            status: 'warn',
            output: 'The storage does not answer.',
          },
        ],
      },
    })

    const later = () => {
      now = new Date(Math.max(Date.now(), now.getTime() + 1_001))
    }
    storage.check = () => Promise.reject(new StorageError('S3: check failed: Forbidden (403)'))
    later()
    expect((await ask()).checks['storage:responseTime'][0].output).toBe(
      'The storage refuses the access key or its rights.',
    )

    media.onCall = undefined
    storage.check = async () => {}
    expect(await ask()).toMatchObject({ status: 'warn' })
    later()
    expect(await ask()).toMatchObject({ status: 'pass' })
    await app.close()
    await database.drop()
  })
})

test('warns if one of two recorders is away, or cannot record', async () => {
  const answers = [200, 200]
  const recorders = await Promise.all(
    answers.map(async (_status, n) => {
      const server = createServer((_request, response) =>
        response.writeHead(answers[n] ?? 0).end(),
      ).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const urls = recorders.map((server) => {
    const { port } = server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  })
  const config = loadConfig({ ...TEST_ENVIRONMENT, LIVEKIT_EGRESS_URL: urls.join(',') })
  // One that answers late, on a busy machine, warns as well.
  const untilStatus = async (wanted: 'pass' | 'warn') =>
    waitFor(async () => {
      const { checks } = await createReadiness(createTestDeps({ db: nowhere(), config }))()
      return checks['recorders:responseTime']?.[0]?.status === wanted
    })
  await untilStatus('pass')
  answers[1] = 503
  await untilStatus('warn')
  answers[1] = 404
  await untilStatus('pass')
  for (const server of recorders) {
    server.closeAllConnections()
    server.close()
  }
  await untilStatus('warn')
})

test('warns while a recorder has more than 30 seconds that the storage lacks, and publishes how many', async () => {
  let undeliveredSec = 30
  const recorder = createServer((_request, response) =>
    response.end(JSON.stringify({ problems: [], undeliveredSec, deliveries: [] })),
  ).listen(0, '127.0.0.1')
  await once(recorder, 'listening')
  const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
  const config = loadConfig({ ...TEST_ENVIRONMENT, LIVEKIT_EGRESS_URL: url })
  const ask = async () => {
    const deps = createTestDeps({ db: nowhere(), config })
    const { checks } = await createReadiness(deps)()
    const gauge = 'interview_room_recorder_undelivered_seconds'
    const metric = await deps.metrics.registry.getSingleMetricAsString(gauge)
    return { found: checks['recorders:delivery']?.[0], metric }
  }
  await waitFor(async () => (await ask()).metric.includes(`recorder="${url}"} 30`))
  expect((await ask()).found).toMatchObject({ status: 'pass' })
  undeliveredSec = 31
  await waitFor(async () => (await ask()).found?.status === 'warn')
  const { found, metric } = await ask()
  expect(found?.output).toMatch(/^A recorder has delivered nothing for more than 30 s/)
  expect(metric).toContain(`recorder="${url}"} 31`)
  recorder.closeAllConnections()
  recorder.close()
})
