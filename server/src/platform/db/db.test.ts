import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { waitFor } from '../../testing/wait-for.ts'
import {
  commitTogether,
  type Db,
  inTransaction,
  json,
  openDb,
  type Query,
  raw,
  readOnOneConnection,
  reserveSlotFor,
  together,
} from './db.ts'
import { lockByName } from './named-locks.ts'
import { DatabaseUnavailable } from './unavailable.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db`create table effects (name text, at timestamptz, big bigint)`
})

afterAll(() => database?.drop())

describe('values', () => {
  test('come back as they were given', async () => {
    const at = new Date('2026-02-03T04:05:06.789Z')
    const [row] = await database.db`
      select ${at}::timestamptz as at, ${12_345_678_901_234_567n}::bigint as big,
             ${Buffer.from([0, 1, 255])}::bytea as bytes, ${['a,b', '"', '{}']}::text[] as texts,
             ${[]}::text[] as "noTexts", ${json({ a: [1, null] })}::jsonb as json,
             ${true}::boolean as flag, ${null}::text as nothing, ${0.25}::float8 as number
    `
    expect(row).toEqual({
      at,
      big: 12_345_678_901_234_567n,
      bytes: Buffer.from([0, 1, 255]),
      texts: ['a,b', '"', '{}'],
      noTexts: [],
      json: { a: [1, null] },
      flag: true,
      nothing: null,
      number: 0.25,
    })
  })

  test('a statement says how many rows it wrote', async () => {
    const { count } = await database.db`insert into effects (name) values ('a'), ('b')`
    expect(count).toBe(2)
  })

  test('no statement starts workers, which takes longer than any of ours', async () => {
    const [row] = await database.db<{ setting: string }[]>`
      select current_setting('max_parallel_workers_per_gather') as setting
    `
    expect(row?.setting).toBe('0')
  })

  test('a table that a migration has widened is also read on old connections', async () => {
    const { db } = database
    await db`create table widened (id int)`
    const read = () =>
      Promise.all(Array.from({ length: 20 }, (_, n) => db`select * from widened where id <> ${n}`))
    await read()
    await db`insert into widened values (100)`
    await db`alter table widened add column name text default 'new'`
    for (const rows of await read()) expect(rows).toEqual([{ id: 100, name: 'new' }])
    const inside = await inTransaction(db, async (tx) => tx`select * from widened where id <> ${1}`)
    expect(inside).toEqual([{ id: 100, name: 'new' }])
  })
})

describe('a transaction', () => {
  test('commits all or nothing with any number of concurrent transactions', async () => {
    const { db } = database
    const one = async (n: number) =>
      inTransaction(db, async (tx) => {
        await tx`insert into effects (name) values (${`pair-${n}`})`
        if (n % 3 === 0) throw new Error('changed its mind')
        if (n % 3 === 1) await tx`select 1 / ${0}::int`
        await tx`insert into effects (name) values (${`pair-${n}`})`
      })
    const ends = await Promise.allSettled(Array.from({ length: 120 }, (_, n) => one(n)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
    const rows = await db`
      select name, count(*)::int as count from effects where name like 'pair-%' group by name
    `
    expect(rows).toHaveLength(40)
    expect(rows.filter(({ count }) => count !== 2)).toEqual([])
  })

  test('with a failed statement is no success, even if the error was ignored', async () => {
    const ending = inTransaction(database.db, async (tx) => {
      await tx`insert into effects (name) values ('unminded')`
      await tx`select 1 / 0`.catch(() => {})
    })
    await expect(ending).rejects.toThrow('rolled back')
  })

  test('takes no statement after its end', async () => {
    let late: (() => PromiseLike<unknown>) | undefined
    await inTransaction(database.db, async (tx) => {
      late = () => tx`insert into effects (name) values ('late')`
    })
    await expect(late?.()).rejects.toThrow('the transaction is over')
    expect(await database.db`select 1 from effects where name = 'late'`).toEqual([])
  })

  test('that did not wait for all of its statements ends after the last', async () => {
    await inTransaction(database.db, async (tx) => {
      tx`insert into effects (name) values ('not waited for')`.catch(() => {})
    })
    expect(await database.db`select 1 from effects where name = 'not waited for'`).toHaveLength(1)
  })

  test('is committed with its last statements, or rolled back by the failure of one', async () => {
    const { db } = database
    const write = async (name: string, at: string) =>
      inTransaction(db, async (tx) => {
        await tx`insert into effects (name) values (${name})`
        await commitTogether(tx, [
          tx`insert into effects (name, at) values (${name}, ${at})`,
          tx`insert into effects (name) values (${name})`,
        ])
      })
    await write('last', '2026-06-01T10:00:00Z')
    await expect(write('failed last', 'no time')).rejects.toThrow('invalid input syntax')
    // The connection of the failure is as good as before.
    await write('last', '2026-06-01T11:00:00Z')
    const rows = await db`select name from effects where name like '%last'`
    expect(rows.map(({ name }) => name)).toEqual(Array(6).fill('last'))
  })

  test('takes nothing after its last statements', async () => {
    const ending = inTransaction(database.db, async (tx) => {
      await commitTogether(tx, [tx`insert into effects (name) values ('committed')`])
      await tx`insert into effects (name) values ('behind it')`
    })
    await expect(ending).rejects.toThrow('the transaction is over')
    const rows =
      await database.db`select name from effects where name in ('committed', 'behind it')`
    expect(rows).toEqual([{ name: 'committed' }])
  })

  test('that finds no free slot keeps none of the statements sent with its commit', async () => {
    const { db } = database
    const entered = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const { size } = db.stats()
    const holders = Array.from({ length: size / 4 }, () =>
      inTransaction(db, async (tx) => {
        reserveSlotFor(tx, 'wanted')
        entered.resolve()
        await mayEnd.promise
      }),
    )
    await entered.promise
    let tries = 0
    const writing = inTransaction(db, async (tx) => {
      tries += 1
      const locking = async () => {
        reserveSlotFor(tx, 'wanted')
        await lockByName(tx, 'wanted')
      }
      await commitTogether(tx, [locking(), tx`insert into effects (name) values ('once')`])
    })
    await waitFor(() => tries === 1 && db.stats().inUse === holders.length)
    mayEnd.resolve()
    await Promise.all([...holders, writing])
    expect(tries).toBe(2)
    expect(await db`select 1 from effects where name = 'once'`).toHaveLength(1)
  })
})

const isLocked = (query: Query) => query<{ isLocked: boolean }[]>`
  select exists (
    select from pg_locks join pg_database on pg_database.oid = pg_locks.database
     where locktype = ${'advisory'} and datname = current_database()
  ) as "isLocked"
`

describe('statements sent together on one connection', () => {
  let db: Db

  beforeAll(async () => {
    db = openDb({ url: database.url, poolSize: 1, applicationName: 'tests' })
    await db`create table written (name text unique deferrable initially deferred)`
  })
  afterAll(() => db?.end())

  const write = (...names: readonly string[]) =>
    inTransaction(db, async (tx) =>
      commitTogether(
        tx,
        names.map((name) => tx`insert into written (name) values (${name})`),
      ),
    )

  test('a failure leaves no transaction open', async () => {
    for (const before of [[], ['first']]) {
      const failing = inTransaction(db, async (tx) => {
        for (const name of before) await tx`insert into written (name) values (${name})`
        await commitTogether(tx, [
          tx`insert into written (name) values (${'second'})`,
          tx`select 1 / ${0}::int`,
          tx`insert into written (name) values (${'third'})`,
        ])
      })
      await expect(failing).rejects.toThrow('division by zero')
      expect(await db`select name from written`).toEqual([])
      const [row] = await db`select pg_current_xact_id_if_assigned() as transaction`
      expect(row).toEqual({ transaction: null })
    }
  })

  test('a constraint that is checked at the commit refuses the whole transaction', async () => {
    await write('a')
    await expect(write('b', 'a')).rejects.toMatchObject({ code: '23505' })
    expect(await db`select name from written`).toEqual([{ name: 'a' }])
  })

  test('a lock lasts until the commit', async () => {
    const [, [inside]] = await inTransaction(db, async (tx) =>
      commitTogether(tx, [tx`select pg_advisory_xact_lock(${7})`, isLocked(tx)]),
    )
    expect(inside?.isLocked).toBe(true)
    expect(await isLocked(db)).toEqual([{ isLocked: false }])
  })

  test('a statement sees what was committed while the one before it waited', async () => {
    const isHeld = Promise.withResolvers<void>()
    const holder = openDb({ url: database.url, poolSize: 1, applicationName: 'holder' })
    const holding = inTransaction(holder, async (tx) => {
      await tx`select pg_advisory_xact_lock(${8})`
      isHeld.resolve()
      await waitFor(() => hasLockWait(database.db))
      await tx`insert into written (name) values (${'held'})`
    })
    await isHeld.promise
    const [, rows] = await inTransaction(db, async (tx) =>
      commitTogether(tx, [
        tx`select pg_advisory_xact_lock(${8})`,
        tx`select name from written where name = ${'held'}`,
      ]),
    )
    expect(rows).toHaveLength(1)
    await holding
    await holder.end()
  })

  test('a statement that failed to be parsed works once its table exists', async () => {
    const read = () =>
      inTransaction(db, async (tx) =>
        together([tx`select ${1}::int as one from later`, tx`select ${2}::int as two`]),
      )
    await expect(read()).rejects.toMatchObject({ code: '42P01' })
    await db`create table later ()`
    await db`${raw('insert into later default values')}`
    expect(await read()).toEqual([[{ one: 1 }], [{ two: 2 }]])
  })

  test('the stack of a failure names the caller', async () => {
    const error = await db`select 1 / ${0}::int`.catch((thrown: unknown) => thrown)
    expect((error as Error).stack).toContain(import.meta.filename)
  })
})

test('reads on one connection go to the database together', async () => {
  const sent: boolean[] = []
  const db = openDb({
    url: database.url,
    poolSize: 1,
    applicationName: 'tests',
    onStatement: (_statement, isBehind) => sent.push(isBehind),
  })
  try {
    const [[one], [two]] = await readOnOneConnection(db, (query) =>
      together([query`select 1 as n`, query`select 2 as n`]),
    )
    expect([one, two]).toEqual([{ n: 1 }, { n: 2 }])
    expect(sent).toEqual([false, true])
    const failing = readOnOneConnection(db, (query) =>
      together([query`select 1 / ${0}::int`, query`select 3 as n`]),
    )
    await expect(failing).rejects.toThrow('division by zero')
    expect(await db`select 4 as n`).toEqual([{ n: 4 }])
  } finally {
    await db.end()
  }
})

describe('transactions that want the same lock', () => {
  test('leave connections for others, and all have their turn', async () => {
    const { db, url } = database
    const reserved = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const outside = openDb({ url, poolSize: 1, applicationName: 'holder', statementTimeoutMs: 0 })
    const holding = inTransaction(outside, async (tx) => {
      await lockByName(tx, 'crowded')
      isLocked.resolve()
      await reserved.promise
    })
    await isLocked.promise
    let done = 0
    const crowd = Array.from({ length: 24 }, () =>
      inTransaction(db, async (tx) => {
        reserveSlotFor(tx, 'crowded')
        await lockByName(tx, 'crowded')
        done += 1
      }),
    )
    await waitFor(() => hasLockWait(db))
    await waitFor(() => db.stats().inUse === db.stats().size / 4)
    expect(await db`select 1 as one`).toEqual([{ one: 1 }])
    expect(done).toBe(0)
    reserved.resolve()
    await Promise.all([holding, ...crowd])
    expect(done).toBe(24)
    expect(db.stats()).toMatchObject({ inUse: 0, waiting: 0 })
    await outside.end()
  })
})

/** Any failure reaches the caller as the one error that means "come back". */
async function reasonsOf(work: readonly PromiseLike<unknown>[]): Promise<unknown[]> {
  const ends = await Promise.allSettled(work)
  return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
}

test('a database that becomes a standby is lost, with the reason, until it is the primary again', async () => {
  const own = await createTestDatabase()
  const name = new URL(own.url).pathname.slice(1)
  const writes = ['-c', 'default_transaction_read_only=off'].join(' ')
  const admin = openDb({
    url: `${own.url}?options=${encodeURIComponent(writes)}`,
    poolSize: 1,
    applicationName: 'admin',
  })
  /** As in a failover: no connection outlives it. */
  const change = async (to: 'on' | 'off') => {
    await admin`${raw(`alter database ${name} set default_transaction_read_only = ${to}`)}`
    await admin`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = ${name} and application_name like 'failing-over%'
    `
  }
  const reasons: (string | undefined)[] = []
  const db = openDb({
    url: own.url,
    poolSize: 2,
    applicationName: 'failing-over',
    onChange: (loss) => reasons.push(loss?.message),
  })
  db.watch()
  await db`select 1`
  await change('on')
  await waitFor(() => db.isLost())
  const [reason] = await reasonsOf([db`select 1`])
  expect(reason).toMatchObject({ name: 'DatabaseUnavailable', isReadOnly: true })
  await change('off')
  await waitFor(() => !db.isLost())
  await db`select 1`
  expect(reasons).toContain('the database only reads')
  expect(reasons.at(-1)).toBeUndefined()
  await db.end()
  await admin.end()
  await own.drop()
})

describe('a database behind a bad network', () => {
  let proxy: FaultProxy
  let db: Db
  const changes: boolean[] = []

  beforeAll(async () => {
    proxy = await startFaultProxy(database.url)
    db = openDb({
      url: proxy.url,
      poolSize: 6,
      applicationName: 'faults',
      onChange: (loss) => changes.push(loss !== undefined),
    })
    db.watch()
  })

  afterAll(async () => {
    await db?.end()
    await proxy?.close()
  })

  const works = () =>
    waitFor(async () => {
      const answers = await Promise.allSettled(Array.from({ length: 6 }, () => db`select 1`))
      return answers.every(({ status }) => status === 'fulfilled')
    })

  const transaction = () =>
    inTransaction(db, async (tx) => {
      await tx`insert into effects (name) values ('cut')`
      await Promise.all([
        tx`select 1`,
        tx`select pg_sleep(0.01)`,
        tx`select ${'x'.repeat(100_000)}`,
      ])
    })

  test('that cuts connections again and again fails statements, and nothing else', async () => {
    for (let round = 0; round < 30; round += 1) {
      const work = Array.from({ length: 12 }, (_, n) =>
        n % 2 === 0 ? transaction() : db`select 1`,
      )
      setTimeout(() => proxy.cut(), round)
      for (const reason of await reasonsOf(work)) expect(reason).toBeInstanceOf(DatabaseUnavailable)
    }
    await works()
    expect(db.stats()).toMatchObject({ inUse: 0, waiting: 0 })
  })

  test('reports refused connections immediately, and works after the database is back', async () => {
    await proxy.refuse()
    const reasons = await reasonsOf(Array.from({ length: 12 }, transaction))
    expect(reasons).toHaveLength(12)
    for (const reason of reasons) expect(reason).toBeInstanceOf(DatabaseUnavailable)
    await proxy.mend()
    await works()
  })

  test('fails waiting and new callers while nothing passes, and works after the database is back', async () => {
    const before = changes.length
    proxy.hang()
    const reasons = await reasonsOf(Array.from({ length: 29 }, transaction))
    expect(reasons).toHaveLength(29)
    for (const reason of reasons) expect(reason).toBeInstanceOf(DatabaseUnavailable)
    expect(db.isLost()).toBe(true)
    await expect(db`select 1`).rejects.toThrow('lost')
    await proxy.mend()
    await waitFor(() => !db.isLost())
    await works()
    expect(changes.slice(before)).toEqual([true, false])
  })

  test('that has forgotten the open connections is found out, and new ones are made', async () => {
    await works()
    proxy.hangOpen()
    const reasons = await reasonsOf(Array.from({ length: 6 }, transaction))
    for (const reason of reasons) expect(reason).toBeInstanceOf(DatabaseUnavailable)
    await works()
  })

  test('that cuts connections does not keep notifications away for long', async () => {
    const heard: string[] = []
    let gaps = 0
    const stop = db.listen('changes', {
      onNotify: (payload) => heard.push(payload),
      onListening: () => (gaps += 1),
    })
    await waitFor(() => gaps === 1)
    await database.db`${raw(`notify changes, 'one'`)}`
    await waitFor(() => heard.length === 1)
    proxy.cut()
    await waitFor(() => gaps === 2)
    await database.db`${raw(`notify changes, 'two'`)}`
    await waitFor(() => heard.length === 2)
    expect(heard).toEqual(['one', 'two'])
    stop()
  })

  test('ends in time, although the server does not answer', async () => {
    const other = openDb({ url: proxy.url, poolSize: 2, applicationName: 'ending' })
    await other`select 1`
    other.watch()
    proxy.hang()
    const left = reasonsOf([other`select pg_sleep(60)`])
    await other.end()
    expect(await left).toHaveLength(1)
    await proxy.mend()
  })
})
