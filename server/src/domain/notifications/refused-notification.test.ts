import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createTestDeps } from '../../testing/deps.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'

const BODY = JSON.stringify({ id: 'EV_refused', event: 'other' })
const MINUTE_MS = 60_000
const lines: string[] = []
let database: TestDatabase
let deps: Deps
let app: Awaited<ReturnType<typeof createApp>>

beforeAll(async () => {
  database = await createTestDatabase()
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  deps = createTestDeps({ db: database.db, log })
  app = await createApp(deps)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

async function logOf(authorization: string): Promise<string[]> {
  lines.length = 0
  expect(await postNotification(app, BODY, authorization)).toBe(401)
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
}

test('of a provider whose clock is slow is refused, and the log names its clock', async () => {
  const slow = { ...deps, clock: () => new Date(Date.now() - 20 * MINUTE_MS) }
  expect(await logOf(await signNotification(slow, BODY))).toEqual([
    'notification of another time: check the clock of the provider',
  ])
})

test('of a foreign key is refused, and the log names the key', async () => {
  const slow = { ...deps, clock: () => new Date(Date.now() - 20 * MINUTE_MS) }
  const foreign = { apiKey: deps.config.livekit.apiKey, apiSecret: 'of somebody else' }
  expect(await logOf(await signNotification(slow, BODY, foreign))).toEqual([
    'notification signature invalid: check that the provider has the same API key',
  ])
})
