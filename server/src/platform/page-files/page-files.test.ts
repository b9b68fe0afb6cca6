import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { offerPageFiles } from './page-files.ts'
import { findPageFile } from './store.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

/** Starts a process whose pages load these files. */
async function start(files: Record<string, string>): Promise<void> {
  const pagesDir = await mkdtemp(path.join(tmpdir(), 'interview-room-pages-'))
  onTestFinished(() => rm(pagesDir, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(pagesDir, 'assets', name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- of the settings it needs one
  await offerPageFiles({ db: database.db, config: { pagesDir } as any })
}

const found = async (name: string) => (await findPageFile(database.db, name))?.toString()

test('files of a release are there for processes of every other one, without compressed forms and libraries', async () => {
  await start({
    'room-old.js': 'old',
    'room-old.js.br': 'x',
    'room-old.js.gz': 'x',
    'lib/a.js': 'x',
  })
  await start({ 'room-new.js': 'new', 'icon.svg': '<svg/>' })
  expect(await found('room-old.js')).toBe('old')
  expect(await found('room-new.js')).toBe('new')
  for (const name of ['room-old.js.br', 'room-old.js.gz', 'lib/a.js', 'a.js']) {
    expect(await found(name)).toBeUndefined()
  }
})

test('processes of one release that start at the same time keep each file once', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f-${at}.js`, `${at}`]))
  await Promise.all(Array.from({ length: 4 }, () => start(files)))
  expect(await found('f-39.js')).toBe('39')
})

test('files go thirty days after the last start of a process that has them', async () => {
  const { db } = database
  await start({ 'kept-1.js': 'kept', 'gone-1.js': 'gone' })
  await db`update page_files set offered_at = now() - interval '31 days' where name like '%-1.js'`
  await start({ 'kept-1.js': 'kept' })
  expect(await found('kept-1.js')).toBe('kept')
  expect(await found('gone-1.js')).toBeUndefined()
})
