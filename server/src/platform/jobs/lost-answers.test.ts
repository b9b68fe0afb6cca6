import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { type Db, openDb } from '../db/db.ts'
import { DatabaseUnavailable } from '../db/unavailable.ts'
import { enqueue } from './enqueue.ts'
import type { Job } from './job.ts'
import { startWorker, type Worker } from './worker.ts'

/** Nobody waits for its end here. */
const LEASE_SEC = 600

let database: TestDatabase
let way: FaultProxy
let db: Db
let worker: Worker | undefined

beforeEach(async () => {
  database = await createTestDatabase()
  way = await startFaultProxy(database.url)
  db = openDb({ url: way.url, poolSize: 4, applicationName: 'lost-answers' })
  db.watch()
})

afterEach(async () => {
  await worker?.stop()
  await db.end()
  await way.close()
  await database.drop()
})

function work(job: Job, on: Db = db): void {
  const queues = [{ jobs: [job], concurrency: 4 }]
  worker = startWorker({ db: on, queues, leaseSec: LEASE_SEC, log: pino({ level: 'silent' }) })
}

const isDone = async () => (await database.db`select 1 from jobs`).length === 0

test('the result of a job is stored once the database is back, and the job runs once', async () => {
  let runs = 0
  await enqueue(database.db, { kind: 'k', key: 'a' })
  work({
    kind: 'k',
    async run() {
      runs += 1
      await way.refuse()
      await waitFor(() => db.isLost())
      return { outcome: 'done' }
    },
  })
  await waitFor(() => db.isLost())
  await way.mend()
  await waitFor(isDone)
  expect(runs).toBe(1)
})

/** The database, which carries out the first claim, and whose answer to it is lost. */
function losingAClaim(): { db: Db; isLost: () => boolean } {
  let isLost = false
  const losing = new Proxy(db, {
    apply(target, self, args: Parameters<Db>) {
      const statement = Reflect.apply(target, self, args)
      if (isLost || !args[0].some((text) => text.includes('update jobs'))) return statement
      isLost = true
      return statement.then(() => {
        throw new DatabaseUnavailable('the answer was lost')
      })
    },
  })
  return { db: losing, isLost: () => isLost }
}

test('a job whose claim had no answer is claimed again without waiting for its lease', async () => {
  const attempts: number[] = []
  const losing = losingAClaim()
  await enqueue(database.db, { kind: 'k', key: 'a' })
  work(
    {
      kind: 'k',
      async run({ attempt }) {
        attempts.push(attempt)
        return { outcome: 'done' }
      },
    },
    losing.db,
  )
  await waitFor(isDone)
  expect(losing.isLost()).toBe(true)
  expect(attempts).toEqual([1])
})
