import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, TEST_TIMEOUTS, type TestDatabase } from '../../testing/database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { connectProblem } from './connect-problem.ts'
import { inTransaction, openDb, raw } from './db.ts'
import { MIGRATIONS, migrate } from './migrate.ts'

let database: TestDatabase
let folder: string
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
})

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-migrations-'))
  return () => rm(folder, { recursive: true, force: true })
})

afterAll(() => database?.drop())

/** A script that comes after all existing ones; returns its name. */
async function addScript(text: string): Promise<string> {
  count += 1
  const name = `9${String(count).padStart(3, '0')}_test.sql`
  await writeFile(path.join(folder, name), text)
  return name
}

/** A client that works on the table in a transaction that does not end. */
async function lockTable(table: string): Promise<() => Promise<void>> {
  const other = openDb({
    url: database.url,
    poolSize: 1,
    applicationName: 'worker',
    ...TEST_TIMEOUTS,
  })
  const [isLocked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(other, async (tx) => {
    await tx`${raw(`lock table ${table} in row exclusive mode`)}`
    isLocked.resolve()
    await letGo.promise
  })
  await isLocked.promise
  return async () => {
    letGo.resolve()
    await holding
    await other.end()
  }
}

describe('migrations', () => {
  test('are applied once, in order, by any number of processes that start together', async () => {
    const names = [
      await addScript('create table one (id int);'),
      await addScript('alter table one add column name text;'),
    ]
    const { url } = database
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate({ url, folder })))
    expect(applied.flat()).toEqual(names)
    expect(await migrate({ url, folder })).toEqual([])
  })

  test('that fail leave no changes, and are tried again by the next', async () => {
    const name = await addScript('create table half (id int); select 1 / 0;')
    const said: [string, string | undefined][] = []
    const onProgress = (message: string, { migration }: { migration?: string }) =>
      said.push([message, migration])
    await expect(migrate({ url: database.url, folder, onProgress })).rejects.toThrow(
      'division by zero',
    )
    expect(said).toEqual([['migration failed', name]])
    expect(await database.db`select to_regclass('half')::text as half`).toEqual([{ half: null }])
    await writeFile(path.join(folder, name), 'create table half (id int);')
    expect(await migrate({ url: database.url, folder })).toEqual([name])
  })

  test('may end with a comment that no new line follows', async () => {
    const name = await addScript('create table remarked (id int); -- the last word')
    expect(await migrate({ url: database.url, folder })).toEqual([name])
    expect(await migrate({ url: database.url, folder })).toEqual([])
  })

  test('take as long as they need, even if the database has a statement timeout', async () => {
    const { db, url } = database
    await db`${raw(`alter database "${new URL(url).pathname.slice(1)}" set statement_timeout = 50`)}`
    const name = await addScript('select pg_sleep(0.2);')
    expect(await migrate({ url, folder })).toEqual([name])
  })

  test('wait for a table in use without blocking other users', async () => {
    await database.db`create table busy (id int)`
    const letGo = await lockTable('busy')
    const said: string[] = []
    await addScript('alter table busy add column name text;')
    const migrating = migrate({
      url: database.url,
      folder,
      onProgress: (message) => said.push(message),
    })
    await waitFor(() => said.includes('a table is in use; trying again'))
    // Other transactions run between its tries, although the table is still in use.
    for (let n = 0; n < 3; n += 1) await database.db`insert into busy values (${n})`
    await letGo()
    await migrating
    expect(await database.db`select name from busy where id = 2`).toEqual([{ name: null }])
  })

  test('build an index without blocking writers, in a script without a transaction', async () => {
    await database.db`create table large (id int)`
    const letGo = await lockTable('large')
    const name = await addScript(
      [
        '-- no transaction',
        'drop index concurrently if exists large_id;',
        'create index concurrently large_id',
        '    on large (id);',
      ].join('\n'),
    )
    const migrating = migrate({ url: database.url, folder })
    await waitFor(async () => {
      const rows = await database.db`select 1 from pg_stat_progress_create_index`
      return rows.length > 0
    })
    await database.db`insert into large values (1)`
    await letGo()
    expect(await migrating).toEqual([name])
    const [index] = await database.db`
      select indisvalid as "isValid" from pg_index where indexrelid = 'large_id'::regclass
    `
    expect(index).toEqual({ isValid: true })
  })
})

/** An empty database with a user who has a schema and cannot create on the database. Returns the user's address. */
async function addSchemaOwner(): Promise<string> {
  const { db, url } = database
  const name = `own_${randomUUID().replaceAll('-', '')}`
  await db`${raw(`create role ${name} login password 'secret'`)}`
  await db`${raw(`create database ${name} template template0`)}`
  await asAdmin(name, [
    `create schema ${name} authorization ${name}`,
    `alter role ${name} set search_path = ${name}, public`,
  ])
  return Object.assign(new URL(url), { username: name, password: 'secret', pathname: name }).href
}

async function asAdmin(name: string, statements: readonly string[]): Promise<void> {
  const url = Object.assign(new URL(database.url), { pathname: name }).href
  const admin = openDb({ url, poolSize: 1, applicationName: 'tests', ...TEST_TIMEOUTS })
  for (const statement of statements) await admin`${raw(statement)}`
  await admin.end()
}

describe('a user with a schema of their own, who may not create on the database', () => {
  test('is told so, and can migrate once somebody has added the extension', async () => {
    const url = await addSchemaOwner()
    const refusal = await migrate({ url }).catch((error: unknown) => error)
    expect(connectProblem(refusal, url)).toMatch(/may not change the schema: make it the owner of/)
    await asAdmin(new URL(url).username, ['create extension pg_trgm'])
    expect((await migrate({ url })).at(0)).toBe('0128_transcript_search.sql')
    expect(await migrate({ url })).toEqual([])
  })
})

/** The first script that the previous release does not know. The ones before it shipped with that release. */
const RELEASED = '0018'

/** Changes that break the previous release, which still runs on the new schema. */
const NOT_BESIDE_THE_RELEASE_BEFORE: readonly (readonly [what: string, RegExp])[] = [
  ['drops a table', /\bdrop table\b/],
  [
    'drops a column',
    /\balter table [^;]*\bdrop (?!constraint|not null|default|expression|identity)/,
  ],
  ['renames', /\balter table [^;]*\brename (?!constraint)/],
  ['changes a type', /\balter (column )?\w+ (set data )?type\b/],
  ['refuses rows without a value', /\balter (column )?\w+ set not null\b/],
  [
    'wants a value that nobody gives',
    /\balter table [^;]*\badd (column )?(?!constraint|check|unique|primary|foreign)\w+ (?![^,;]*\bdefault\b)[^,;]*\bnot null\b/,
  ],
]

/** The changes of a script that would break the previous release. */
function problemsOf(text: string): string[] {
  const sql = text
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
  return NOT_BESIDE_THE_RELEASE_BEFORE.flatMap(([what, pattern]) =>
    pattern.test(sql) ? [what] : [],
  )
}

describe('the release before', () => {
  test('can run on the schema of this one', async () => {
    const names = (await readdir(MIGRATIONS)).filter((name) => name.slice(0, 4) > RELEASED)
    const scripts = await Promise.all(
      names.map(
        async (name) => [name, await readFile(path.join(MIGRATIONS, name), 'utf8')] as const,
      ),
    )
    expect(
      scripts.map(([name, text]) => [name, problemsOf(text)]).filter(([, found]) => found?.length),
    ).toEqual([])
  })

  test.each([
    ['drop table rooms;', 'drops a table'],
    ['alter table rooms drop column kind;', 'drops a column'],
    ['alter table rooms rename column kind to sort;', 'renames'],
    ['alter table rooms alter column kind type int;', 'changes a type'],
    ['alter table rooms alter column kind set not null;', 'refuses rows without a value'],
    ['alter table rooms add column size int not null;', 'wants a value that nobody gives'],
    // The same without the optional word, quoted, or over several lines.
    ['alter table rooms drop kind;', 'drops a column'],
    ['alter table rooms rename kind to sort;', 'renames'],
    ['alter table rooms alter kind type int;', 'changes a type'],
    ['alter table "rooms" alter column "kind" set not null;', 'refuses rows without a value'],
    ['alter table rooms\n  add size int\n  not null;', 'wants a value that nobody gives'],
  ])('could not with %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem])
  })

  test.each([
    'alter table rooms add column size int;',
    'alter table rooms add column size int not null default 0, add column other text;',
    'alter table rooms add column size int default 0 not null;',
    'alter table rooms drop constraint rooms_kind, add constraint rooms_kind check (kind is not null);',
    'alter table rooms alter column kind drop not null, alter column kind drop default;',
    'drop index rooms_kind; create table sizes (size int not null);',
    '-- drop table rooms',
  ])('could with %s', (text) => {
    expect(problemsOf(text)).toEqual([])
  })
})
