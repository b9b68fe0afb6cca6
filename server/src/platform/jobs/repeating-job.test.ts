import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { bringForward, repeatingJob, type Turn } from './repeating-job.ts'

const NOW = new Date('2030-01-01T00:00:00Z')

function hourly(turn: Turn) {
  return repeatingJob({ kind: 'look', everySec: 3600, clock: () => NOW, run: async () => turn })
}

const asked = {
  key: 'all',
  payload: {},
  attempt: 1,
  signal: new AbortController().signal,
  log: pino({ level: 'silent' }),
}

describe('a job that repeats itself', () => {
  test.each([
    ['done', '2030-01-01T01:00:00.000Z'],
    ['more', '2030-01-01T00:00:00.000Z'],
  ] as const)('that says %s runs again at %s', async (turn, at) => {
    expect(await hourly(turn).run(asked)).toEqual({ outcome: 'again', at: new Date(at) })
  })

  test('is requested under one key', () => {
    expect(hourly('done').schedule).toEqual({ kind: 'look', key: 'all' })
  })

  test('is never given up, and tried again sooner than it would repeat itself', () => {
    const job = repeatingJob({
      kind: 'look',
      everySec: 5,
      clock: () => NOW,
      run: async () => 'done',
    })
    const pauses = [1, 2, 3, 4, 5, 100].map((failures) => job.retryAfterSec?.(failures, 'all'))
    expect(pauses).toEqual([1, 2, 4, 5, 5, 5])
  })
})

describe('a repeating job that is planned for later than its pause', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  /** True if a job that was planned for this many seconds from now is due. */
  async function isDueAfter(plannedSec: number, lease: 'leased' | 'free' = 'free') {
    const { db } = database
    const token = lease === 'leased' ? '00000000-0000-0000-0000-000000000000' : null
    await db`delete from jobs`
    await db`
      insert into jobs (kind, key, payload, due_at, lease_token)
      values ('look', 'all', '{}', clock_timestamp() + make_interval(secs => ${plannedSec}), ${token})
    `
    await bringForward(db, [hourly('done')])
    const [job] = await db<{ isDue: boolean }[]>`
      select due_at <= clock_timestamp() as "isDue" from jobs
    `
    return job?.isDue
  }

  test('is due, as after the clock of the database was fast', async () => {
    expect(await isDueAfter(4 * 3600)).toBe(true)
  })

  test('is left alone while it runs, or waits for no longer than its pause', async () => {
    expect(await isDueAfter(4 * 3600, 'leased')).toBe(false)
    expect(await isDueAfter(3600)).toBe(false)
  })
})
