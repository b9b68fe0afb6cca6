import { types } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { commitTogether, type Db, inTransaction, openDb, type Query, raw, together } from './db.ts'
import { StatementBatch } from './statement-batch.ts'

const TEXT = 25

/** A connection that notes the sent messages, and never answers. */
function connect() {
  const sent: string[] = []
  const note = (what: string) => () => void sent.push(what)
  const connection = {
    stream: { cork: note('cork'), uncork: note('uncork') },
    parsedStatements: {} as Record<string, string>,
    submittedNamedStatements: {},
    parse: ({ name }: { name: string }) => sent.push(`parse ${name}`),
    bind: ({ statement, values }: { statement: string; values: unknown[] }) =>
      sent.push(`bind ${[statement, ...values].join(' ')}`),
    describe: note('describe'),
    execute: note('execute'),
    sync: note('sync'),
  }
  return { connection, take: () => sent.splice(0).filter((each) => !each.includes('cork')) }
}

type Sent = ReturnType<typeof connect>
type Statement = readonly [name: string, ...values: unknown[]]

function send({ connection }: Sent, statements: readonly Statement[]) {
  const batch = new StatementBatch(types)
  const answers = statements.map(([name, ...values]) =>
    batch.add({ name, text: name, values: [...values] }),
  )
  batch.submit(connection)
  return { batch, answers: Promise.allSettled(answers) }
}

/** As PostgreSQL answers one statement, here with one column. */
function answer(batch: StatementBatch, { connection }: Sent, value: string): void {
  connection.parsedStatements[batch.name ?? ''] = batch.text
  const field = { tableID: 0, columnID: 0, dataTypeID: TEXT, dataTypeSize: 0 }
  batch.handleRowDescription({
    fields: [{ ...field, name: 'said', dataTypeModifier: 0, format: 'text' }],
  })
  batch.handleDataRow({ fields: [value] })
  batch.handleCommandComplete({ text: 'SELECT 1' })
}

describe('the messages of a batch', () => {
  test('is parsed and described once on a connection, and ends with one sync', async () => {
    const here = connect()
    const first = send(here, [
      ['a', 1],
      ['b', 2],
    ])
    const cold = ['parse', 'bind', 'describe', 'execute']
    const firsts = here.take()
    expect(firsts.map((each) => each.split(' ')[0])).toEqual([...cold, ...cold, 'sync'])
    answer(first.batch, here, 'one')
    answer(first.batch, here, 'two')
    first.batch.handleReadyForQuery()

    const second = send(here, [['b', 3]])
    expect(here.take()).toEqual(['bind b 3', 'execute', 'sync'])
    second.batch.handleDataRow({ fields: ['three'] })
    second.batch.handleCommandComplete({ text: 'SELECT 1' })
    second.batch.handleReadyForQuery()
    const answers = [...(await first.answers), ...(await second.answers)]
    expect(answers.map((each) => each.status === 'fulfilled' && each.value.rows)).toEqual([
      [{ said: 'one' }],
      [{ said: 'two' }],
      [{ said: 'three' }],
    ])

    const elsewhere = connect()
    send(elsewhere, [['b', 3]])
    expect(elsewhere.take().map((each) => each.split(' ')[0])).toEqual([...cold, 'sync'])
  })

  test('needs no begin and no commit if it is a whole transaction', async () => {
    const here = connect()
    const { batch, answers } = send(here, [['begin'], ['a', 1], ['commit']])
    expect(here.take().filter((each) => each.startsWith('bind'))).toEqual(['bind a 1'])
    answer(batch, here, 'one')
    batch.handleReadyForQuery()
    const commands = (await answers).map(
      (each) => each.status === 'fulfilled' && each.value.command,
    )
    expect(commands).toEqual(['BEGIN', 'SELECT', 'COMMIT'])
  })

  test.each([
    ['begins', [['begin'], ['a', 1]]],
    ['ends', [['a', 1], ['commit']]],
    ['is a snapshot, which has to be said', [['begin isolation level x'], ['a', 1], ['commit']]],
    ['is empty', [['begin'], ['commit']]],
  ] as const)('has all of a transaction that only %s', (_what, statements) => {
    const here = connect()
    send(here, statements)
    const bound = here.take().filter((each) => each.startsWith('bind'))
    expect(bound).toEqual(statements.map((each) => `bind ${each.join(' ')}`))
  })

  test('has begun even if one of its rows cannot be parsed', async () => {
    const here = connect()
    const { batch, answers } = send(here, [['begin'], ['a', 1]])
    batch.handleCommandComplete({ text: 'BEGIN' })
    // A row of no column that was described.
    batch.handleDataRow({ fields: ['one'] })
    batch.handleCommandComplete({ text: 'SELECT 1' })
    batch.handleReadyForQuery()
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('is parsed again if a failure kept it from being parsed', async () => {
    const here = connect()
    const { batch, answers } = send(here, [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
    answer(batch, here, 'one')
    batch.handleError(new Error('b is wrong'), here.connection)
    for (const each of await answers)
      expect(each).toMatchObject({ reason: { message: 'b is wrong' } })
    here.take()
    send(here, [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
    expect(here.take().filter((each) => each.startsWith('parse'))).toEqual(['parse b', 'parse c'])
  })
})

const isLocked = (query: Query) => query<{ isLocked: boolean }[]>`
  select exists (
    select from pg_locks join pg_database on pg_database.oid = pg_locks.database
     where locktype = ${'advisory'} and datname = current_database()
  ) as "isLocked"
`

describe('on one connection', () => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await createTestDatabase()
    db = openDb({ url: database.url, poolSize: 1, applicationName: 'tests' })
    await db`create table written (name text unique deferrable initially deferred)`
  })
  afterAll(async () => {
    await db?.end()
    await database?.drop()
  })

  const names = async () =>
    (await db`select name from written order by name`).map((row) => row['name'])
  const write = (...all: readonly string[]) =>
    inTransaction(db, async (tx) =>
      commitTogether(
        tx,
        all.map((name) => tx`insert into written (name) values (nullif(${name}, 'x')::text)`),
      ),
    )

  test('a transaction in one batch keeps all or nothing, and leaves the connection as it was', async () => {
    await write('a', 'b')
    await expect(
      inTransaction(db, async (tx) =>
        commitTogether(tx, [
          tx`insert into written (name) values (${'c'})`,
          tx`select 1 / ${0}::int`,
          tx`insert into written (name) values (${'d'})`,
        ]),
      ),
    ).rejects.toThrow('division by zero')
    expect(await names()).toEqual(['a', 'b'])
    await write('e')
    expect(await names()).toEqual(['a', 'b', 'e'])
  })

  test.each([
    ['all in one batch has no rollback', [], 0],
    ['which has begun before has one', ['first'], 1],
  ])('a transaction that fails %s', async (_what, before, rollbacks) => {
    const sent: string[] = []
    const noting = openDb({
      url: database.url,
      poolSize: 1,
      applicationName: 'noting',
      onStatement: ({ text }) => sent.push(text),
    })
    const failing = inTransaction(noting, async (tx) => {
      for (const name of before) await tx`insert into written (name) values (${name})`
      await commitTogether(tx, [tx`select 1 / ${0}::int`])
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(sent.filter((text) => text === 'rollback')).toHaveLength(rollbacks)
    expect(await noting`select name from written where name = 'first'`).toEqual([])
    const [row] = await noting`select pg_current_xact_id_if_assigned() as transaction`
    expect(row).toEqual({ transaction: null })
    await noting.end()
  })

  test('a refusal of PostgreSQL at the commit is thrown, and nothing is stored', async () => {
    await expect(write('f', 'a')).rejects.toMatchObject({ code: '23505' })
    expect(await names()).not.toContain('f')
  })

  test('a transaction’s locks are held until its end, and no longer', async () => {
    const [, [inside]] = await inTransaction(db, async (tx) =>
      commitTogether(tx, [tx`select pg_advisory_xact_lock(${7})`, isLocked(tx)]),
    )
    expect(inside?.isLocked).toBe(true)
    expect(await isLocked(db)).toEqual([{ isLocked: false }])
  })

  test('a statement sees what was committed while the one before it waited', async () => {
    const isLocked = Promise.withResolvers<void>()
    const holder = openDb({ url: database.url, poolSize: 1, applicationName: 'holder' })
    const holding = inTransaction(holder, async (tx) => {
      await tx`select pg_advisory_xact_lock(${8})`
      isLocked.resolve()
      await waitFor(() => hasLockWait(database.db))
      await tx`insert into written (name) values (${'held'})`
    })
    await isLocked.promise
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

  test('a statement that came too early works once its table is there', async () => {
    const read = () =>
      inTransaction(db, async (tx) =>
        together([tx`select ${1}::int as one from later`, tx`select ${2}::int as two`]),
      )
    await expect(read()).rejects.toMatchObject({ code: '42P01' })
    await db`create table later ()`
    await db`${raw('insert into later default values')}`
    expect(await read()).toEqual([[{ one: 1 }], [{ two: 2 }]])
  })

  test('a failure has the stack of its caller', async () => {
    const error = await db`select 1 / ${0}::int`.catch((thrown: unknown) => thrown)
    expect((error as Error).stack).toContain(import.meta.filename)
  })
})
