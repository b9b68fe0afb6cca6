import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createDatabaseClock } from './database-clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database?.drop())

const HOUR_MS = 3_600_000
/** The machine's clock and the database's are the same here, but for the time of asking. */
const NEAR_MS = 5_000

test.each([
  ['right', 0],
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])('on a machine whose clock is %s follows the clock of the database', async (_name, offMs) => {
  const clock = createDatabaseClock(() => new Date(Date.now() + offMs))
  await clock.measure(database.db)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(NEAR_MS)
})

test('is not moved by a clock that is set while the service runs, not even until the next look', async () => {
  let offMs = 0
  const clock = createDatabaseClock(() => new Date(Date.now() + offMs))
  await clock.measure(database.db)
  for (const setMs of [HOUR_MS, -HOUR_MS]) {
    offMs = setMs
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(NEAR_MS)
  }
  await clock.measure(database.db)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(NEAR_MS)
})

test('is right from the next look on after the machine stood still', async () => {
  let stoodStillMs = 0
  const clock = createDatabaseClock(
    () => new Date(),
    () => performance.now() - stoodStillMs,
  )
  await clock.measure(database.db)
  stoodStillMs = HOUR_MS
  await clock.measure(database.db)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(NEAR_MS)
})
