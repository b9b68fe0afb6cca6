import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { refusalState } from './connect-problem.ts'
import { identifier, openDb, raw } from './db.ts'
import { migrate } from './migrate.ts'
import { requireOwnSession, SharedSession } from './own-session.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

/** A pooler in transaction mode: each statement goes to the first free session. */
function startPooler() {
  const taken = new Set<number>()
  const firstFree = () => [1, 2, 3].find((pid) => !taken.has(pid)) ?? 0
  return () => {
    let own: number | undefined
    async function query(asked: string | { text: string }) {
      const pid = own ?? firstFree()
      if (asked === 'begin') taken.add((own = pid))
      return { rows: [{ pid }] }
    }
    return { query, end: async () => {} } as unknown as ClientBase & { end(): Promise<void> }
  }
}

test('a pooler that shares its sessions is found, and PostgreSQL itself is none', async () => {
  const connect = startPooler()
  const checking = requireOwnSession(connect(), async () => connect())
  await expect(checking).rejects.toThrow(SharedSession)
  expect(await migrate({ url: database.url })).toEqual([])
})

test('settings of a database change neither times nor the isolation of transactions', async () => {
  const { pathname } = new URL(database.url)
  const name = identifier(pathname.slice(1))
  await database.db`alter database ${name} set datestyle = 'German'`
  await database.db`alter database ${name} set default_transaction_isolation = 'serializable'`
  const db = openDb({ url: database.url, poolSize: 1, applicationName: 'set' })
  const [row] = await db<{ at: Date; isolation: string }[]>`
    select timestamptz '2026-11-02 10:00:00.25Z' as at,
           current_setting('transaction_isolation') as isolation
  `
  expect(row).toEqual({ at: new Date('2026-11-02T10:00:00.250Z'), isolation: 'read committed' })
  await db.end()
})

describe('a database that refuses', () => {
  test.each([
    {
      what: 'the password',
      refuse: `password 'another'`,
      admit: `password 'first'`,
      state: '28P01',
    },
    {
      what: 'further connections',
      refuse: 'connection limit 0',
      admit: 'connection limit -1',
      state: '53300',
    },
  ])('$what is lost by that reason, and comes back', async ({ refuse, admit, state }) => {
    const name = `role_${randomUUID().replaceAll('-', '')}`
    const role = identifier(name)
    await database.db`create role ${role} login ${raw(`password 'first'`)}`
    const url = new URL(database.url)
    url.username = name
    url.password = 'first'
    const reasons: (string | undefined)[] = []
    const db = openDb({
      url: url.href,
      poolSize: 1,
      applicationName: 'refused',
      onChange: (loss) => reasons.push(refusalState(loss)),
    })
    db.watch()
    await db`select 1`
    // The connection that watches is opened beside the one of the pool. One that comes later would not be ended below.
    const sessions = () => database.db`
      select from pg_stat_activity where usename = ${name} and state = 'idle'
    `
    await waitFor(async () => (await sessions()).length === 2)
    await database.db`alter role ${role} ${raw(refuse)}`
    await database.db`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`
    await waitFor(() => db.isLost())
    expect(reasons.at(-1)).toBe(state)
    await database.db`alter role ${role} ${raw(admit)}`
    await waitFor(() => !db.isLost())
    await db`select 1`
    await db.end()
    await database.db`drop role ${role}`
  })
})
