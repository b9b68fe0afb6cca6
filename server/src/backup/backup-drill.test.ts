import { execFileSync, type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../local/lib/ports.ts'
import { loadConfig } from '../platform/config/config.ts'
import { identifier, openDb } from '../platform/db/db.ts'
import { migrate } from '../platform/db/migrate.ts'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import { createTenant } from '../platform/tenants/create-tenant.ts'
import { openDeps } from '../service.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { fillTables } from '../testing/filled-tables.ts'
import { waitFor } from '../testing/wait-for.ts'
import { DrillUsageError, runDrill } from './run-drill.ts'
import { listNeededObjects } from './store.ts'

/** A server with its clients: the embedded one comes without, and older clients refuse it. */
const [BIN] = globSync('/usr/lib/postgresql/*/bin').filter((folder) =>
  ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every(
    (name) => globSync(path.join(folder, name)).length > 0,
  ),
)
const NOBODY = 65_534
const asUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Filled tables name objects by words that are no keys. */
const KEYS = [
  { table: 'recordings', column: 'storage_key' },
  { table: 'recording_voices', column: 'storage_key' },
  { table: 'processed_recordings', column: 'storage_key' },
  { table: 'clips', column: 'storage_key' },
  { table: 'transcriptions', column: 'result_key' },
  { table: 'transcription_revisions', column: 'words_key' },
  { table: 'transcription_revisions', column: 'result_key' },
  { table: 'handouts', column: 'storage_key' },
  { table: 'chat_messages', column: 'attachment_key' },
]

let folder: string
let port: number
let server: ChildProcess
let env: Record<string, string>
const urlOf = (name: string) => `postgres://drill@127.0.0.1:${port}/${name}`

async function withServer<T>(work: (db: ReturnType<typeof openDb>) => Promise<T>): Promise<T> {
  const db = openDb({ url: urlOf('postgres'), poolSize: 1, applicationName: 'tests' })
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

async function emptyDatabase(): Promise<string> {
  const name = `d${randomUUID().replaceAll('-', '')}`
  await withServer((db) => db`create database ${identifier(name)}`.then(() => {}))
  return urlOf(name)
}

async function isUp(): Promise<boolean> {
  return withServer((db) => db`select 1`.then(() => true)).catch(() => false)
}

async function drill(changed: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = []
  const args = ['--into', await emptyDatabase()]
  await runDrill(args, { ...env, ...changed }, (line) => lines.push(line))
  return lines
}

describe.skipIf(BIN === undefined)('npm run backup-drill (skipped without PostgreSQL)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'interview-room-backup-'))
    const data = path.join(folder, 'database')
    mkdirSync(data, { mode: 0o700 })
    for (const each of [folder, data]) if (asUser.uid !== undefined) chownSync(each, NOBODY, NOBODY)
    const bin = BIN ?? ''
    const options = ['-D', data, '--username=drill', '--auth=trust', '--encoding=UTF8', '--no-sync']
    execFileSync(path.join(bin, 'initdb'), options, { ...asUser, cwd: folder, stdio: 'ignore' })
    port = await freePort('127.0.0.1')
    const settings = ['-D', data, '-p', String(port), '-k', folder, '-F']
    server = spawn(path.join(bin, 'postgres'), settings, {
      ...asUser,
      cwd: folder,
      stdio: 'ignore',
    })
    await waitFor(isUp)
    process.env['PATH'] = `${bin}:${process.env['PATH']}`

    env = {
      ...TEST_ENVIRONMENT,
      DATABASE_URL: await emptyDatabase(),
      STORAGE_DIR: path.join(folder, 'storage'),
    }
    await migrate({ url: env['DATABASE_URL'] ?? '' })
    const opened = openDeps(loadConfig(env))
    const { deps } = opened
    await ensureServiceKey(deps)
    const { id: tenantId } = await createTenant(deps.db, { name: 'T' })
    await fillTables(deps.db, { tenantId, count: 3, age: '1 day' })
    for (const { table, column } of KEYS) {
      await deps.db`
        update ${identifier(table)}
           set ${identifier(column)} = concat(${tenantId}::text, '/files/', gen_random_uuid())
         where ${identifier(column)} is not null
      `
    }
    for (const key of await listNeededObjects(deps.db)) {
      await deps.storage.put(key, Readable.from(['x']), { mime: 'text/plain' })
    }
    await opened.close()
  })

  afterAll(async () => {
    const exited = once(server, 'exit')
    server.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  })

  test('restores database and objects beside the installation, and checks them', async () => {
    const lines = await drill()
    expect(lines).toEqual([
      expect.stringMatching(/^dumped the database: \d+\.\d MiB$/),
      'restored it into the empty database',
      expect.stringMatching(/^copied \d+ objects: /),
      'an API process starts on the copy, and reads its secrets',
      expect.stringMatching(/^the data is as consistent as the installation: \d+ rules compared$/),
      expect.stringMatching(/^all [1-9]\d* files that the data names are there$/),
    ])
  })

  test('fails with another SECRETS_KEY, without which a backup is of no use', async () => {
    const key = Buffer.alloc(32, 9).toString('base64')
    await expect(drill({ SECRETS_KEY: key })).rejects.toThrow(/secrets:key: SECRETS_KEY is not/)
  })

  test('fails when files are missing that the data names', async () => {
    const other = { STORAGE_DIR: path.join(folder, 'other') }
    await expect(drill(other)).rejects.toThrow(/files are missing: /)
  })

  test('accepts deletions by the installation after the dump', async () => {
    const opened = openDeps(loadConfig(env))
    const { db, storage } = opened.deps
    const deleteOne = async (): Promise<void> => {
      const [handout] = await db<{ key: string }[]>`
        delete from handouts where id = (select min(id::text)::uuid from handouts)
        returning storage_key as key
      `
      await storage.delete([handout?.key ?? ''])
    }
    const lines: string[] = []
    let deleting: Promise<void> | undefined
    await runDrill(['--into', await emptyDatabase()], env, (line) => {
      lines.push(line)
      if (line.startsWith('dumped')) deleting = deleteOne()
    })
    await deleting
    await opened.close()
    expect(lines.at(-1)).toMatch(/^all \d+ files that the data names are there$/)
  })

  test('names the address that leads nowhere', async () => {
    const into = ['--into', 'postgres://u:geheim@127.0.0.1:1/none']
    const refused = runDrill(into, env, () => {})
    await expect(refused).rejects.toThrow(/^nothing answers at 127.0.0.1:1, where --into leads/)
  })

  test('refuses a database that is not empty, and a call without one', async () => {
    const into = ['--into', env['DATABASE_URL'] ?? '']
    await expect(runDrill(into, env, () => {})).rejects.toThrow(DrillUsageError)
    await expect(runDrill([], env, () => {})).rejects.toThrow(DrillUsageError)
    await expect(runDrill(['--onto'], env, () => {})).rejects.toThrow('there is no option --onto')
  })
})
