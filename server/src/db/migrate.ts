import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Db } from './db.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../migrations')
/** Any constant; replicas that start together queue on it. */
const ADVISORY_LOCK = 7_316_001

/** Applies what is missing of `migrations/`, in order, each in its own transaction. Forward only. */
export async function migrate(db: Db): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  const applied: string[] = []
  const connection = await db.reserve()
  try {
    await connection`select pg_advisory_lock(${ADVISORY_LOCK})`
    await connection`
      create table if not exists migrations (
        name       text primary key,
        applied_at timestamptz not null default clock_timestamp()
      )
    `
    const rows = await connection<{ name: string }[]>`select name from migrations`
    const known = new Set(rows.map((row) => row.name))
    for (const name of files.filter((file) => !known.has(file))) {
      const text = await readFile(path.join(FOLDER, name), 'utf8')
      const sql = `begin; ${text}; insert into migrations (name) values ('${name}'); commit;`
      await connection.unsafe(sql)
      applied.push(name)
    }
    return applied
  } finally {
    // The lock belongs to the connection; after a failed script the transaction is still open.
    await connection.unsafe('rollback')
    await connection`select pg_advisory_unlock(${ADVISORY_LOCK})`
    connection.release()
  }
}
