import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { bringJobsForward } from './bring-forward.ts'
import { repeatingJob } from './repeating-job.ts'

const HOUR_SEC = 3600
const LEASE_SEC = 30
const TOKEN = '00000000-0000-0000-0000-000000000000'

const hourly = repeatingJob({
  kind: 'look',
  everySec: HOUR_SEC,
  clock: () => new Date(),
  run: async () => 'done',
})
const asked = { kind: 'asked', run: async () => ({ outcome: 'done' as const }) }
const patient = { ...asked, kind: 'patient', retryAfterSec: (failures: number) => failures * 600 }
const jobs = [hourly, asked, patient]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

interface Planned {
  kind: string
  key?: string
  attempt?: number
  /** Seconds from now. */
  dueSec: number
  /** Seconds from now to the end of the lease. */
  leaseSec?: number
}

/** Inserts the job, brings jobs forward and returns when it is due, or its lease ends, in seconds from now. */
async function bring(job: Planned): Promise<{ kinds: string[]; dueSec: number; leaseSec: number }> {
  const { db } = database
  const { kind, key = 'all', attempt = 0, dueSec, leaseSec = null } = job
  await db`delete from jobs`
  await db`
    insert into jobs (kind, key, payload, attempt, due_at, lease_token, lease_until)
    values (${kind}, ${key}, '{}', ${attempt}, clock_timestamp() + make_interval(secs => ${dueSec}),
            ${leaseSec === null ? null : TOKEN},
            clock_timestamp() + make_interval(secs => ${leaseSec}))
  `
  const kinds = await bringJobsForward(db, { jobs, leaseSec: LEASE_SEC })
  const [row] = await db<{ dueSec: number; leaseSec: number }[]>`
    select round(extract(epoch from due_at - clock_timestamp()) / 10)::float8 * 10 as "dueSec",
           round(extract(epoch from lease_until - clock_timestamp()) / 10)::float8 * 10 as "leaseSec"
      from jobs
  `
  return { kinds, dueSec: row?.dueSec ?? NaN, leaseSec: row?.leaseSec ?? NaN }
}

describe('after the clock of the database was set back', () => {
  test.each<[string, Planned]>([
    ['a repeating job', { kind: 'look', dueSec: 4 * HOUR_SEC }],
    ['a repeating job that failed', { kind: 'look', attempt: 2, dueSec: HOUR_SEC }],
    ['a retried job', { kind: 'asked', key: 'a', attempt: 1, dueSec: HOUR_SEC }],
    ['one with long pauses', { kind: 'patient', key: 'a', attempt: 2, dueSec: 1300 }],
  ])('%s is due', async (_what, job) => {
    expect(await bring(job)).toMatchObject({ kinds: [job.kind], dueSec: 0 })
  })

  test('the lease of a job whose worker may be dead ends as soon as any other', async () => {
    const leased = { kind: 'asked', key: 'a', attempt: 1, dueSec: -10, leaseSec: 4 * HOUR_SEC }
    expect(await bring(leased)).toMatchObject({ kinds: ['asked'], leaseSec: LEASE_SEC })
  })
})

test.each<[string, Planned]>([
  ['a repeating job within its pause', { kind: 'look', dueSec: HOUR_SEC }],
  ['a job that was asked for at a time', { kind: 'asked', key: 'a', dueSec: 40 * HOUR_SEC }],
  ['a retried job within its pause', { kind: 'patient', key: 'a', attempt: 2, dueSec: 1200 }],
  ['a job that this release does not know', { kind: 'other', attempt: 1, dueSec: HOUR_SEC }],
])('%s is left alone', async (_what, job) => {
  expect(await bring(job)).toMatchObject({ kinds: [], dueSec: job.dueSec })
})
