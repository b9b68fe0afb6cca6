import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import type { TenantLimits } from '../../platform/config/tenant-limits.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { setTenantLimits } from '../../platform/tenants/tenant-limits.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'
import { addRecording } from '../../testing/recordings.ts'
import { useRoundTripCounter } from '../../testing/round-trip-counter.ts'
import {
  type Answer,
  booking,
  createTenantClient,
  type TenantClient,
  toAnswer,
} from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const DAY_SEC = 86_400

const plane = useControlPlane()
const counted = useRoundTripCounter(plane)
/** Another process on the same database. */
let replica: FastifyInstance
let tenant: TenantClient

beforeAll(async () => {
  replica = await createApp({ ...plane.deps, db: counted.db, urgentDb: counted.db })
})
afterAll(() => replica.close())
beforeEach(async () => {
  tenant = await createTenantClient(plane.app, plane.database.db)
})

async function limit(changes: Partial<TenantLimits>): Promise<void> {
  await setTenantLimits(plane.deps, { tenantId: tenant.tenantId, changes })
  // Longer than a process remembers a key.
  later(1)
}

function later(sec: number): void {
  plane.now = new Date(plane.now.getTime() + sec * 1000)
}

const ask = () => tenant.get('/connection-tests')
const askReplica = async () =>
  toAnswer(
    await replica.inject({
      method: 'GET',
      url: '/api/v1/connection-tests',
      headers: { authorization: tenant.authorization },
    }),
  )
const book = () => tenant.post('/rooms', booking({ now: plane.now }))

function limitsIn({ headers }: Answer) {
  return {
    limit: headers['ratelimit-limit'],
    remaining: headers['ratelimit-remaining'],
    reset: Number(headers['ratelimit-reset']),
  }
}

const withinAMinute = (sec: number) => sec >= 1 && sec <= 60

/** Statements about the limit that ten requests cost. */
async function countedIn(): Promise<number> {
  const trips = await counted.of(async () => {
    for (let n = 0; n < 10; n += 1) await askReplica()
  })
  return trips.flat().filter((text) => text.includes('request_windows')).length
}

async function recordedRoom() {
  const { data: room } = await book()
  const recordingId = await addRecording({ ...plane, tenant }, room.id)
  return { room, recordingId }
}

describe('a rate limit of a tenant', () => {
  // contract: Error codes, API key › 429 RATE_LIMIT_EXCEEDED with `Retry-After` once the requests of
  //   a minute are used up; every answer has `RateLimit` and `RateLimit-Policy`, `RateLimit-Limit`, `RateLimit-Remaining`,
  //   `RateLimit-Reset`
  test('counts down in the headers of each answer, and then refuses until the next minute', async () => {
    await limit({ requestsPerMin: 3 })
    const answers = [await ask(), await tenant.get('/rooms/unknown'), await ask(), await ask()]
    expect(answers.map(({ status, code }) => code ?? status)).toEqual([
      200,
      'NOT_FOUND',
      200,
      'RATE_LIMIT_EXCEEDED',
    ])
    expect(answers.map((answer) => limitsIn(answer).remaining)).toEqual(['2', '1', '0', '0'])
    for (const answer of answers) {
      const { remaining, reset } = limitsIn(answer)
      expect(answer.headers['ratelimit-policy']).toBe('"requests";q=3;w=60')
      expect(answer.headers['ratelimit']).toBe(`"requests";r=${String(remaining)};t=${reset}`)
      expect(limitsIn(answer).limit).toBe('3')
      expect(limitsIn(answer).reset).toSatisfy(withinAMinute)
    }
    expect(answers[3]?.status).toBe(429)
    expect(answers[3]?.headers['retry-after']).toBe(answers[3]?.headers['ratelimit-reset'])

    await plane.database
      .db`update request_windows set started_at = started_at - interval '1 minute'`
    later(60)
    expect(limitsIn(await ask())).toMatchObject({ remaining: '2' })
  })

  test('is over with its minute, though the clock of the database was a day ahead when it began', async () => {
    await limit({ requestsPerMin: 1 })
    await plane.database.db`
      insert into request_windows (tenant_id, started_at, taken)
      values (${tenant.tenantId}, clock_timestamp() + interval '1 day', 1)
    `
    expect((await ask()).status).toBe(200)
  })

  test('is over with its minute, though the clock of the process was a day ahead meanwhile', async () => {
    await limit({ requestsPerMin: 1 })
    later(DAY_SEC)
    await ask()
    expect((await ask()).status).toBe(429)
    later(-DAY_SEC)
    await plane.database
      .db`update request_windows set started_at = started_at - interval '1 minute'`
    expect((await ask()).status).toBe(200)
  })

  test('is one budget of all keys and all processes', async () => {
    await limit({ requestsPerMin: 4 })
    const statuses = []
    for (const call of [ask, askReplica, askReplica, ask, askReplica, ask]) {
      statuses.push((await call()).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })

  test('holds for requests that arrive together', async () => {
    await limit({ requestsPerMin: 60 })
    const calls = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? ask() : askReplica()))
    const answers = await Promise.all(calls)
    const allowed = answers.filter(({ status }) => status === 200).length
    expect(allowed).toBeGreaterThan(50)
    expect(allowed).toBeLessThanOrEqual(60)
  })

  test('costs a statement for a twentieth of it, and no statement without a limit', async () => {
    expect(await countedIn()).toBe(0)
    expect(limitsIn(await ask())).toMatchObject({ limit: undefined, remaining: undefined })
    await limit({ requestsPerMin: 100 })
    expect(await countedIn()).toBe(2)
  })

  test('never keeps anybody from closing a room', async () => {
    const { data: room } = await book()
    await limit({ requestsPerMin: 1 })
    await ask()
    expect((await ask()).status).toBe(429)
    const closed = await tenant.post(`/rooms/${room.id}/close`)
    expect([closed.status, limitsIn(closed).remaining]).toEqual([200, '0'])
  })

  test('that is raised or taken away holds immediately', async () => {
    await limit({ requestsPerMin: 1 })
    await ask()
    expect((await ask()).status).toBe(429)
    await limit({ requestsPerMin: 5 })
    const raised = await ask()
    expect([raised.status, limitsIn(raised).limit]).toEqual([200, '5'])
    await limit({ requestsPerMin: 0 })
    expect(limitsIn(await ask()).limit).toBeUndefined()
  })

  test('of the service holds for tenants without their own, which goes before it', async () => {
    const config = {
      ...plane.deps.config,
      tenantLimits: { requestsPerMin: 2, roomsMax: null, storedBytesMax: null },
    }
    const limited = await createApp({ ...plane.deps, config })
    const one = await createTenantClient(limited, plane.database.db)
    const own = await createTenantClient(limited, plane.database.db)
    await setTenantLimits(plane.deps, { tenantId: own.tenantId, changes: { requestsPerMin: 7 } })
    expect(limitsIn(await one.get('/connection-tests')).limit).toBe('2')
    expect(limitsIn(await own.get('/connection-tests')).limit).toBe('7')
    await limited.close()
  })

  test('is not spent by requests without a valid key, and leaves other tenants alone', async () => {
    await limit({ requestsPerMin: 1 })
    const url = '/api/v1/connection-tests'
    const refused = await plane.app.inject({ url, headers: { authorization: 'ApiKey x.y' } })
    expect([refused.statusCode, refused.headers['ratelimit-limit']]).toEqual([401, undefined])
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(429)
    expect((await plane.other.get('/connection-tests')).status).toBe(200)
  })
})

test('limits that two operators set at the same time hold both', async () => {
  const { tenantId } = tenant
  const { db } = plane.database
  let both: Promise<unknown> = Promise.resolve()
  await inTransaction(db, async (tx) => {
    await tx`select from tenants where id = ${tenantId} for update`
    both = Promise.all([limit({ requestsPerMin: 7 }), limit({ roomsMax: 9 })])
    await waitFor(async () => (await countLockWaits(tx)) === 2)
  })
  await both
  const { before } = await setTenantLimits(plane.deps, { tenantId, changes: {} })
  expect(before).toEqual({ requestsPerMin: 7, roomsMax: 9, storedBytesMax: null })
})

describe('a quota of rooms', () => {
  // contract: createRoom, Detail codes › 422 VALIDATION_ERROR (`QUOTA_EXCEEDED`) for a room too many;
  //   an ended, closed or cancelled one counts no more
  test('refuses one too many until one is closed', async () => {
    await limit({ roomsMax: 2 })
    const [first, second] = [await book(), await book()]
    expect([first.status, second.status]).toEqual([201, 201])
    const refused = await book()
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'VALIDATION_ERROR',
      [['rooms_open', 'QUOTA_EXCEEDED']],
    ])
    expect(refused.text).toContain('at most 2')
    await tenant.post(`/rooms/${first.data.id}/close`)
    expect((await book()).status).toBe(201)
    // The slots of an hour and their margins are over.
    later(2 * 3600)
    expect((await book()).status).toBe(201)
  })

  test('leaves nothing of a refused booking, and names the session to a repeated one', async () => {
    await limit({ roomsMax: 1 })
    const body = booking({ now: plane.now })
    const key = { 'idempotency-key': randomUUID() }
    const booked = await tenant.post('/rooms', body, key)
    expect((await book()).status).toBe(422)
    expect((await tenant.post('/rooms', body)).code).toBe('DUPLICATE_EXTERNAL_REF')
    expect((await tenant.post('/rooms', body, key)).text).toBe(booked.text)
    const rows = await plane.database.db`select 1 from rooms where tenant_id = ${tenant.tenantId}`
    expect(rows).toHaveLength(1)
  })

  test('holds for bookings that arrive together', async () => {
    await limit({ roomsMax: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => book()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(7)
  })
})

describe('a quota of storage', () => {
  // contract: createRoom, registerHandout, createProcessedRecording › 422 VALIDATION_ERROR
  //   (`QUOTA_EXCEEDED`) while the tenant stores as much as it may
  test('refuses new rooms, handouts and processed recordings while it is full', async () => {
    const { room, recordingId } = await recordedRoom()
    await limit({ storedBytesMax: 13 })
    const full = [422, 'VALIDATION_ERROR', [['stored_bytes', 'QUOTA_EXCEEDED']]]
    const processed = `/recordings/${recordingId}/processed-recording`
    const refused = [await book(), await tenant.post(processed, { source: 'upload' })]
    for (const { status, code, details } of refused) expect([status, code, details]).toEqual(full)
    const handout = addHandout({ ...plane, tenant }, room.session.id)
    await expect(handout).rejects.toThrow('QUOTA_EXCEEDED')

    await tenant.delete(`/recordings/${recordingId}`)
    expect((await book()).status).toBe(201)
    await addHandout({ ...plane, tenant }, room.session.id)
  })

  test('does not show a recording of another tenant', async () => {
    const { recordingId } = await recordedRoom()
    tenant = await createTenantClient(plane.app, plane.database.db)
    await recordedRoom()
    await limit({ storedBytesMax: 1 })
    const foreign = await tenant.post(`/recordings/${recordingId}/processed-recording`, {
      source: 'upload',
    })
    expect(foreign.code).toBe('NOT_FOUND')
  })
})

describe('the usage', () => {
  // contract: getUsage › `rooms_open`, and `limits` with `requests_per_min`, `rooms_open` and
  //   `stored_bytes`, null without a limit
  test('shows the limits with their usage', async () => {
    const period = 'from=2026-06-01T00:00:00Z&to=2026-07-01T00:00:00Z'
    const usage = async () => (await tenant.get(`/usage?${period}`)).data
    await book()
    const none = { requests_per_min: null, rooms_open: null, stored_bytes: null }
    expect(await usage()).toMatchObject({ rooms_open: 1, stored_bytes: 0, limits: none })
    await limit({ requestsPerMin: 600, roomsMax: 10, storedBytesMax: 5_000_000_000 })
    expect((await usage()).limits).toEqual({
      requests_per_min: 600,
      rooms_open: 10,
      stored_bytes: 5_000_000_000,
    })
  })
})
