import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { sqlStateOf } from './db.ts'
import { connectAlone, requireOwnSession } from './own-session.ts'
import { requirePostgres } from './postgres-version.ts'

export const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations')
/** An arbitrary constant. Processes that start together queue on it. */
const ADVISORY_LOCK = 7_316_001
const TURN_POLL_MS = 200
/** Other transactions queue after a migration that waits for a lock, so it waits in short pieces. */
const LOCK_TIMEOUT_MS = 1_000
const LOCK_PAUSE_MS = 500
const LOCK_TRIES_MAX = 600
const LOCK_NOT_AVAILABLE = '55P03'
/** The first line of a script whose statements run one by one, outside of a transaction. */
const NO_TRANSACTION = '-- no transaction\n'

export interface MigrateOptions {
  url: string
  /** The folder of the scripts. */
  folder?: string
  /** Called with the reason for a wait, and with each applied or failed migration. */
  onProgress?: (message: string, about: { migration?: string }) => void
}

/** A busy machine answers late. Without a server, the refusal comes immediately. */
const CONNECT_MS = 30_000
const LOOK_CONNECT_MS = 5_000
const OPTIONS = { applicationName: 'interview-room-migrate' }

/**
 * Applies the missing migrations of `migrations/`, in order, each in its own transaction; forward only. Statements have no timeout,
 * because an index of a large table may need long. A lock is awaited for a second at a time, so that nobody queues longer after it.
 */
export async function migrate({
  url,
  folder = MIGRATIONS,
  onProgress = () => {},
}: MigrateOptions): Promise<string[]> {
  const connect = () => connectAlone(url, { ...OPTIONS, timeoutMs: CONNECT_MS })
  const client = await connect()
  try {
    await requirePostgres(client)
    await requireOwnSession(client, connect)
    // A role or a database may have a statement timeout that is too short for an index of a large table.
    await client.query('set statement_timeout = 0')
    await takeTurn(client, onProgress)
    await client.query(`
      create table if not exists migrations (
        name       text primary key,
        applied_at timestamptz not null default clock_timestamp()
      )
    `)
    const applied: string[] = []
    for (const name of await listMissing(client, folder)) {
      await apply(client, path.join(folder, name), onProgress).catch((error: unknown) => {
        // PostgreSQL's own message does not name the migration.
        onProgress('migration failed', { migration: name })
        throw error
      })
      onProgress('migration applied', { migration: name })
      applied.push(name)
    }
    return applied
  } finally {
    // The advisory lock belongs to the connection and ends with it.
    await client.end()
  }
}

/** The names of migrations that this database lacks, in order. */
export async function findMissing(url: string): Promise<string[]> {
  const connect = () => connectAlone(url, { ...OPTIONS, timeoutMs: LOOK_CONNECT_MS })
  const client = await connect()
  try {
    await requirePostgres(client)
    await requireOwnSession(client, connect)
    const { rows } = await client.query(`select to_regclass('migrations') is not null as "isThere"`)
    return rows[0].isThere ? await listMissing(client, MIGRATIONS) : await listAll(MIGRATIONS)
  } finally {
    await client.end()
  }
}

async function listAll(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

async function listMissing(client: Client, folder: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const known = new Set(rows.map(({ name }) => name))
  return (await listAll(folder)).filter((name) => !known.has(name))
}

type OnProgress = NonNullable<MigrateOptions['onProgress']>

/** Polls the lock instead of waiting for it, because a concurrent index build would wait for such waiters. */
async function takeTurn(client: Client, onProgress: OnProgress): Promise<void> {
  for (let isCollected = false; ; isCollected = true) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isOurs"', [
      ADVISORY_LOCK,
    ])
    if (rows[0].isOurs) return
    if (!isCollected) onProgress('another process migrates the database; waiting for it', {})
    await delay(TURN_POLL_MS)
  }
}

async function apply(client: Client, file: string, onProgress: OnProgress): Promise<void> {
  const name = path.basename(file)
  const text = await readFile(file, 'utf8')
  if (text.startsWith(NO_TRANSACTION)) {
    await client.query('set lock_timeout = 0')
    for (const statement of statementsOf(text)) await client.query(statement)
    await client.query('insert into migrations (name) values ($1)', [name])
    return
  }
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  // On a line of its own, because the script may end with a comment.
  const script = `begin; ${text}\n; insert into migrations (name) values ('${name}'); commit;`
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(script)
      return
    } catch (error) {
      await client.query('rollback')
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES_MAX) throw error
      if (tries === 1) onProgress('a table is in use; trying again', { migration: name })
      await delay(LOCK_PAUSE_MS)
    }
  }
}

/** Splits a script into statements, each of which ends with a semicolon at the end of a line. */
function statementsOf(text: string): string[] {
  return text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
