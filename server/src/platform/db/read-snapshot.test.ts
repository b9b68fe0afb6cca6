import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEOUTS, type TestDatabase } from '../../testing/database.ts'
import { type Db, openDb, type Query, raw, readSnapshot } from './db.ts'

let database: TestDatabase
/** A pool with one connection, which every read of this file uses. */
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db`create table counters (n integer)`
  await database.db`insert into counters values (0)`
  db = openDb({ url: database.url, poolSize: 1, applicationName: 'tests', ...TEST_TIMEOUTS })
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

const count = async (query: Query) => (await query<{ n: number }[]>`select n from counters`)[0]?.n

test('a snapshot reads one moment, and afterwards what is committed since', async () => {
  const read = async (query: Query) => {
    const before = await count(query)
    await database.db`update counters set n = n + 1`
    return [before, await count(query)]
  }
  expect(await readSnapshot(db, read, count)).toEqual([[0, 0], 1])
})

const send = (text: string) => async (query: Query) => query`${raw(text)}`

test.each([
  ['in the snapshot', 'select 1 / 0', 'select 1'],
  ['afterwards', 'select 1', 'select 1 / 0'],
])('a statement that fails %s leaves the connection as it was', async (_when, first, second) => {
  await expect(readSnapshot(db, send(first), send(second))).rejects.toThrow('division by zero')
  const [state] = await db`select now() = statement_timestamp() as "isAlone"`
  expect(state).toEqual({ isAlone: true })
})
