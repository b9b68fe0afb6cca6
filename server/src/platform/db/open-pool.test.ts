import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { openPool } from './open-pool.ts'

const PATIENCE_MS = 200

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database?.drop())

/** Makes the first statement of a connection slower than its borrower waits. */
function slowDown(client: ClientBase): void {
  const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>
  const slow = async (...asked: unknown[]) => {
    client.query = query as ClientBase['query']
    await delay(2 * PATIENCE_MS)
    return query(...asked)
  }
  client.query = slow as ClientBase['query']
}

test('a connection that is ready after its borrower has given up is lent to the next one', async () => {
  const pool = openPool(
    {
      url: database.url,
      applicationName: 'slow',
      poolSize: 1,
      statementTimeoutMs: 0,
      lockTimeoutMs: 0,
      idleInTransactionMs: 0,
      acquireTimeoutMs: PATIENCE_MS,
    },
    slowDown,
  )
  const first = await pool.connect()
  const second = pool.connect()
  // The next one opens a connection of its own.
  first.release(true)
  await expect(second).rejects.toThrow('timeout exceeded')
  await waitFor(() => pool.idleCount === 1)
  await pool.end()
})
