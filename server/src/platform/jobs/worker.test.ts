import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { failingDatabase } from '../../testing/failing-database.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { inTransaction } from '../db/db.ts'
import { DatabaseLost, DatabaseUnavailable } from '../db/unavailable.ts'
import { runInTrace, traceContext } from '../lib/trace.ts'
import { claimJobs } from './claim-store.ts'
import { enqueue, enqueueOnce } from './enqueue.ts'
import type { Job } from './job.ts'
import { finishJob } from './store.ts'
import { startWorker, type Worker } from './worker.ts'

const log = pino({ level: 'silent' })

let database: TestDatabase
let workers: Worker[]

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(async () => {
  await database.drop()
})

beforeEach(async () => {
  workers = []
  await database.db`delete from jobs`
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
})

function work(...jobs: Job[]): Worker {
  const worker = startWorker({
    db: database.db,
    queues: [{ jobs, concurrency: 4 }],
    leaseSec: 30,
    log,
  })
  workers.push(worker)
  return worker
}

async function jobRow(key: string) {
  const [row] = await database.db`select * from jobs where key = ${key}`
  return row
}

/** Lines of two claims that fail with it. */
async function linesOf(failure: Error): Promise<string> {
  const { db, statements } = failingDatabase(database.db, failure)
  const logged = new PassThrough()
  const worker = startWorker({
    db,
    queues: [{ jobs: [], concurrency: 4 }],
    leaseSec: 30,
    log: pino(logged),
  })
  workers.push(worker)
  await waitFor(() => statements() >= 2)
  await worker.stop()
  return text(logged.end())
}

describe('claiming that fails', () => {
  test('is in the log, except while the database is known to be away', async () => {
    expect(await linesOf(new DatabaseUnavailable('no connection is free'))).toContain(
      'claiming jobs failed',
    )
    expect(await linesOf(new DatabaseLost())).toBe('')
  })
})

/** A job that runs until it is interrupted, and then ends with what `fail` answers. */
async function runInterrupted(fail: (signal: AbortSignal) => unknown, leaseSec = 30) {
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const logged = new PassThrough()
  const interrupted: Job = {
    kind: 'interrupted',
    async run({ signal }) {
      started.resolve()
      await once(signal, 'abort')
      ended.resolve()
      throw fail(signal)
    },
  }
  const logger = pino({ level: 'warn' }, logged)
  const queues = [{ jobs: [interrupted], concurrency: 4 }]
  const asked = { db: database.db, queues, leaseSec, log: logger }
  const worker = startWorker(asked)
  workers.push(worker)
  await enqueue(database.db, { kind: 'interrupted', key: 'i' })
  await started.promise
  return {
    ended: ended.promise,
    /** The lines of the log, and the job. */
    stop: async () => {
      await worker.stop()
      return { lines: await text(logged.end()), row: await jobRow('i') }
    },
  }
}

const stopDuring = async (fail: (signal: AbortSignal) => unknown) =>
  (await runInterrupted(fail)).stop()

describe('a stop', () => {
  test('returns a job that ended for it immediately, and warns of nothing', async () => {
    for (const fail of [
      (signal: AbortSignal) => signal.reason,
      () => new DOMException('This operation was aborted', 'AbortError'),
    ]) {
      const { lines, row } = await stopDuring(fail)
      expect(lines).toBe('')
      expect(row).toMatchObject({ state: 'due', lease_token: null, last_error: null, attempt: 0 })
      const isDue = await database.db`select due_at <= clock_timestamp() as "isDue" from jobs`
      expect(isDue).toEqual([{ isDue: true }])
    }
  })

  test('hides no failure of a job that fails meanwhile', async () => {
    const { lines, row } = await stopDuring(() => new Error('broken'))
    expect(lines).toContain('job failed')
    expect(row).toMatchObject({ last_error: 'Error: broken' })
  })
})

/** Runs until it is interrupted. */
const endless = (kind: string, started: string[]): Job => ({
  kind,
  async run({ key, signal }) {
    started.push(`${kind} ${key}`)
    await once(signal, 'abort')
    throw signal.reason
  },
})

describe('jobs of several queues', () => {
  test('have places of their own, and the rest waits for one', async () => {
    const started: string[] = []
    const queues = [
      { jobs: [endless('long', started)], concurrency: 1 },
      { jobs: [endless('trim', started), endless('join', started)], concurrency: 2 },
    ]
    for (const [kind, keys] of [
      ['long', ['a', 'b']],
      ['trim', ['a', 'b']],
      ['join', ['a']],
    ] as const) {
      for (const key of keys) await enqueue(database.db, { kind, key })
    }
    const worker = startWorker({ db: database.db, queues, leaseSec: 30, log })
    workers.push(worker)
    await waitFor(() => started.length === 3)
    await worker.stop()
    const ofLong = started.filter((each) => each.startsWith('long'))
    expect([started.length, ofLong]).toEqual([3, ['long a']])
  })
})

describe('a job', () => {
  test('runs in the trace of the last request for it, and in none if that had none', async () => {
    const [first, last] = ['0a', '0b'].map((id) => `00-${id.repeat(16)}-00f067aa0ba902b7-01`)
    await runInTrace(first, () => enqueue(database.db, { kind: 'trace', key: 'twice' }))
    await runInTrace(last, () => enqueue(database.db, { kind: 'trace', key: 'twice' }))
    await runInTrace(first, () => enqueueOnce(database.db, { kind: 'trace', key: 'once' }))
    await enqueue(database.db, { kind: 'trace', key: 'alone' })
    const traces = new Map<string, string | undefined>()
    work({
      kind: 'trace',
      async run({ key }) {
        traces.set(key, traceContext())
        return { outcome: 'done' }
      },
    })
    await waitFor(() => traces.size === 3)
    expect(Object.fromEntries(traces)).toEqual({ twice: last, once: first, alone: undefined })
  })

  test('is due immediately when it is enqueued again while a run of it finishes', async () => {
    await enqueue(database.db, { kind: 'count', key: 'a' })
    const [claimed] = await claimJobs(database.db, {
      places: [{ kinds: ['count'], free: 1, areInTurns: false }],
      leaseSec: 30,
    })
    if (claimed === undefined) throw new Error('not claimed')
    let finishing: Promise<void> | undefined
    await inTransaction(database.db, async (tx) => {
      await enqueue(tx, { kind: 'count', key: 'a' })
      finishing = finishJob(database.db, claimed)
      await waitFor(async () => (await countLockWaits(database.db)) === 1)
    })
    await finishing
    expect(
      await claimJobs(database.db, {
        places: [{ kinds: ['count'], free: 1, areInTurns: false }],
        leaseSec: 30,
      }),
    ).toMatchObject([{ key: 'a', attempt: 1 }])
  })

  test('is run once and deleted', async () => {
    const ran: string[] = []
    work({
      kind: 'note',
      async run({ key, payload }) {
        ran.push(`${key} ${String(payload['word'])}`)
        return { outcome: 'done' }
      },
    })
    await enqueue(database.db, { kind: 'note', key: 'a', payload: { word: 'hello' } })
    await waitFor(async () => (await jobRow('a')) === undefined)
    expect(ran).toEqual(['a hello'])
  })

  test('of a rolled-back transaction was never requested', async () => {
    await expect(
      inTransaction(database.db, async (tx) => {
        await enqueue(tx, { kind: 'note', key: 'undone' })
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    expect(await jobRow('undone')).toBeUndefined()
  })

  test('requested twice before it runs is run once', async () => {
    await enqueue(database.db, { kind: 'count', key: 'a' })
    await enqueue(database.db, { kind: 'count', key: 'a' })
    let runs = 0
    work({
      kind: 'count',
      async run() {
        runs += 1
        return { outcome: 'done' }
      },
    })
    await waitFor(async () => (await jobRow('a')) === undefined)
    expect(runs).toBe(1)
  })

  test('requested while it runs is run again', async () => {
    let runs = 0
    work({
      kind: 'count',
      async run() {
        runs += 1
        if (runs === 1) await enqueue(database.db, { kind: 'count', key: 'a' })
        return { outcome: 'done' }
      },
    })
    await enqueue(database.db, { kind: 'count', key: 'a' })
    await waitFor(async () => (await jobRow('a')) === undefined)
    expect(runs).toBe(2)
  })

  test('runs again after a pause when it fails, and records the reason', async () => {
    let runs = 0
    work({
      kind: 'fragile',
      retryAfterSec: () => 0,
      async run({ attempt }) {
        runs += 1
        if (attempt < 3) throw new Error('not yet')
        return { outcome: 'done' }
      },
    })
    await enqueue(database.db, { kind: 'fragile', key: 'a' })
    await waitFor(async () => (await jobRow('a')) === undefined)
    expect(runs).toBe(3)
  })

  test('that must not be tried again is kept with its reason', async () => {
    work({
      kind: 'hopeless',
      retryAfterSec: () => undefined,
      async run() {
        throw new Error('never')
      },
    })
    await enqueue(database.db, { kind: 'hopeless', key: 'a' })
    await waitFor(async () => (await jobRow('a'))?.['state'] === 'discarded')
    expect((await jobRow('a'))?.['last_error']).toBe('Error: never')
  })

  test('that must not be retried, but was requested meanwhile, runs again', async () => {
    let runs = 0
    work({
      kind: 'hopeless',
      retryAfterSec: () => undefined,
      async run() {
        runs += 1
        if (runs > 1) return { outcome: 'done' }
        await enqueue(database.db, { kind: 'hopeless', key: 'a' })
        throw new Error('never')
      },
    })
    await enqueue(database.db, { kind: 'hopeless', key: 'a' })
    await waitFor(async () => (await jobRow('a')) === undefined)
    expect(runs).toBe(2)
  })

  test('that repeats itself waits for its time', async () => {
    const at = new Date(Date.now() + 3_600_000)
    work({
      kind: 'hourly',
      async run() {
        return { outcome: 'again', at }
      },
    })
    await enqueue(database.db, { kind: 'hourly', key: 'a' })
    await waitFor(
      async () =>
        (await jobRow('a'))?.['attempt'] === 0 &&
        (await jobRow('a'))?.['lease_token'] === null &&
        new Date((await jobRow('a'))?.['due_at']).getTime() === at.getTime(),
    )
  })

  test('of a kind that this process does not know is left alone', async () => {
    work({ kind: 'known', run: async () => ({ outcome: 'done' }) })
    await enqueue(database.db, { kind: 'unknown', key: 'u' })
    await enqueue(database.db, { kind: 'known', key: 'k' })
    await waitFor(async () => (await jobRow('k')) === undefined)
    expect(await jobRow('u')).toMatchObject({ state: 'due', attempt: 0 })
  })

  test('of a worker that died is run by another when the lease is over', async () => {
    await enqueue(database.db, { kind: 'note', key: 'orphan' })
    await database.db`
      update jobs set lease_until = now() - interval '1 second', lease_token = gen_random_uuid()
    `
    work({ kind: 'note', run: async () => ({ outcome: 'done' }) })
    await waitFor(async () => (await jobRow('orphan')) === undefined)
  })

  test('that lost its lease cannot be finished by its former worker', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    work({
      kind: 'slow',
      async run() {
        await held
        return { outcome: 'done' }
      },
    })
    await enqueue(database.db, { kind: 'slow', key: 'a' })
    await waitFor(async () => (await jobRow('a'))?.['lease_token'] !== null)
    await database.db`
      update jobs set lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour'
    `
    letGo()
    await workers.pop()?.stop()
    expect(await jobRow('a')).toBeDefined()
  })

  test.each([
    { by: 'with the reason', fail: (signal: AbortSignal) => signal.reason },
    {
      by: 'as fetch does',
      fail: () => new DOMException('This operation was aborted', 'AbortError'),
    },
  ])(
    'whose lease ran out is interrupted, which is no failure of it: it ends $by',
    async ({ fail }) => {
      const leaseSec = 0.3
      const { ended, stop } = await runInterrupted(fail, leaseSec)
      await database.db`
      update jobs set lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour'
    `
      await ended
      const { lines, row } = await stop()
      expect(lines).toContain('job ended: its lease ran out, and another worker takes it over')
      expect(lines).not.toContain('job failed')
      expect(row).toMatchObject({ last_error: null })
    },
  )

  test('is run by one of two workers only', async () => {
    const ran: string[] = []
    const job: Job = {
      kind: 'note',
      async run({ key }) {
        ran.push(key)
        return { outcome: 'done' }
      },
    }
    for (let n = 0; n < 40; n += 1) await enqueue(database.db, { kind: 'note', key: `n${n}` })
    work(job)
    work(job)
    await waitFor(async () => (await database.db`select 1 from jobs`).length === 0)
    expect(ran).toHaveLength(40)
    expect(new Set(ran).size).toBe(40)
  })
})
