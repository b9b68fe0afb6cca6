import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { dueItemsJob, isPostponed } from './due-items-job.ts'
import { startWorker } from './worker.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const BATCH = 2

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db`create table things (id text primary key, is_failing boolean not null)`
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db`truncate things`
  await database.db`delete from jobs`
})

/** Deletes things in the order of their ids. */
function deleteThings() {
  const { db } = database
  return dueItemsJob({
    kind: 'delete-things',
    everySec: 3600,
    batch: BATCH,
    db,
    clock: () => NOW,
    list: (limit) => db<{ id: string }[]>`
      select t.id from things t
       where not ${isPostponed(db, { kind: 'delete-things', key: db`t.id` })}
       order by t.id
       limit ${limit}
    `,
    keyOf: ({ id }) => id,
    async carryOut({ id }) {
      const rows = await db`select 1 from things where id = ${id} and is_failing`
      if (rows.length > 0) throw new Error('cannot be deleted')
      await db`delete from things where id = ${id}`
    },
  })
}

const addThings = (ids: readonly string[], isFailing: boolean) =>
  database.db`insert into things select id, ${isFailing} from unnest(${[...ids]}::text[]) as id`

async function thingsLeft(): Promise<string[]> {
  const rows = await database.db<{ id: string }[]>`select id from things order by id`
  return rows.map(({ id }) => id)
}

const asked = {
  key: 'all',
  payload: {},
  attempt: 1,
  signal: new AbortController().signal,
  log: pino({ level: 'silent' }),
}

/** Runs until nothing more is due; returns the number of runs. */
async function runAll(log = asked.log): Promise<number> {
  for (let runs = 1; runs < 10; runs += 1) {
    const ended = await deleteThings().run({ ...asked, log })
    if (ended.outcome !== 'again' || ended.at.getTime() !== NOW.getTime()) return runs
  }
  throw new Error('it never comes to an end')
}

const retries = () =>
  database.db<{ key: string; payload: Record<string, unknown>; dueAt: Date }[]>`
    select key, payload, due_at as "dueAt" from jobs where kind = 'delete-things' order by key
  `

describe('a job for due items', () => {
  test('processes the items after failed ones, even if these fill whole batches', async () => {
    await addThings(['a', 'b', 'c', 'd', 'e'], true)
    await addThings(['f', 'g', 'h'], false)
    expect(await runAll()).toBe(5)
    expect(await thingsLeft()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('names the failed item in the log, and retries it in ten seconds', async () => {
    await addThings(['a'], true)
    const logged = new PassThrough()
    await runAll(pino(logged))
    const line = JSON.parse(await text(logged.end()))
    expect(line).toMatchObject({ job: 'delete-things', key: 'a', msg: 'job failed' })
    expect(line.err.message).toBe('cannot be deleted')
    expect(await retries()).toMatchObject([
      { key: 'a', dueAt: new Date(NOW.getTime() + 10_000), payload: { item: '{"id":"a"}' } },
    ])
  })

  test('leaves an item that is retried to its own job', async () => {
    await addThings(['a'], true)
    await runAll()
    await database.db`update things set is_failing = false`
    await runAll()
    expect(await thingsLeft()).toEqual(['a'])
    const [{ key, payload } = { key: '', payload: {} }] = await retries()
    expect(await deleteThings().run({ ...asked, key, payload })).toEqual({ outcome: 'done' })
    expect(await thingsLeft()).toEqual([])
  })

  test('waits longer after each failure of an item, and never gives it up', () => {
    const pauses = [1, 2, 3, 4, 100].map((failures) =>
      deleteThings().retryAfterSec?.(failures, 'a'),
    )
    expect(pauses).toEqual([60, 300, 900, 900, 900])
  })

  test('is itself retried as every repeating job', () => {
    const pauses = [1, 2, 100].map((failures) => deleteThings().retryAfterSec?.(failures, 'all'))
    expect(pauses).toEqual([1, 2, 30])
  })

  test('takes no more when the worker stops', async () => {
    await addThings(['a', 'b'], false)
    await deleteThings().run({ ...asked, signal: AbortSignal.abort() })
    expect(await thingsLeft()).toEqual(['a', 'b'])
  })
})

test('an item that failed is retried by a worker until it goes well', async () => {
  await addThings(['a'], true)
  await runAll()
  const { db } = database
  const worker = startWorker({
    ...asked,
    db,
    queues: [{ jobs: [deleteThings()], concurrency: 1 }],
    leaseSec: 30,
  })
  const retryNow = () => db`update jobs set due_at = clock_timestamp()`
  try {
    await retryNow()
    await waitFor(async () => {
      const [job] = await db`select last_error from jobs where key = 'a' and lease_token is null`
      return job?.['last_error'] === 'Error: cannot be deleted'
    })
    await db`update things set is_failing = false`
    await retryNow()
    await waitFor(async () => (await retries()).length === 0)
  } finally {
    await worker.stop()
  }
  expect(await thingsLeft()).toEqual([])
})
