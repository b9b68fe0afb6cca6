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

test('follows a clock that is set while the service runs, from the next look on', async () => {
  let offMs = 0
  const clock = createDatabaseClock(() => new Date(Date.now() + offMs))
  await clock.measure(database.db)
  offMs = HOUR_MS
  await clock.measure(database.db)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(NEAR_MS)
})
