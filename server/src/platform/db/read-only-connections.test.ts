import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { type Db, inTransaction, openDb, type Query, raw } from './db.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db`create table effects (name text)`
})

afterAll(() => database?.drop())

async function reasonsOf(work: readonly PromiseLike<unknown>[]): Promise<unknown[]> {
  const ends = await Promise.allSettled(work)
  return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
}

const write = (query: Query) => query`insert into effects (name) values ('written')`

test('one refused write ends every connection of that time, on which others would be refused', async () => {
  const db = openDb({ url: database.url, poolSize: 3, applicationName: 'doubted' })
  const jobs = db.beside({ name: 'jobs', poolSize: 2 })
  const onEach = async (pool: Db, work: (tx: Query) => PromiseLike<unknown>) => {
    const { size } = pool.stats()
    let held = 0
    const one = () =>
      inTransaction(pool, async (tx) => {
        held += 1
        // Nobody returns a connection that another one could take.
        await waitFor(() => held === size)
        await work(tx)
      })
    return reasonsOf(Array.from({ length: size }, one))
  }
  for (const pool of [db, jobs])
    expect(await onEach(pool, (tx) => tx`set default_transaction_read_only = on`)).toEqual([])
  expect(await reasonsOf([write(db)])).toMatchObject([{ code: '25006' }])
  for (const pool of [db, jobs]) expect(await onEach(pool, write)).toEqual([])
  await db.end()
})

test('a connection to a server that only reads is not lent', async () => {
  const own = await createTestDatabase()
  const name = new URL(own.url).pathname.slice(1)
  await own.db`${raw(`alter database ${name} set default_transaction_read_only = on`)}`
  const db = openDb({ url: own.url, poolSize: 2, applicationName: 'reading' })
  const reasons = await reasonsOf([db`select 1`, db`select 1`, db`select 1`])
  expect(reasons).toMatchObject(
    Array.from({ length: 3 }, () => ({ name: 'DatabaseUnavailable', isReadOnly: true })),
  )
  await own.db`${raw(`alter database ${name} reset default_transaction_read_only`)}`
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
  await db.end()
  await own.drop()
})
