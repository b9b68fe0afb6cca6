import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** A dump of a large database takes hours, and nobody waits but the operator. */
const DUMP_MS = 12 * 60 * 60_000

/** Dumps one database into a file; answers its size in bytes. Throws what pg_dump says. */
export async function dumpDatabase(url: string, file: string): Promise<number> {
  await runClient(
    'pg_dump',
    ['--format=custom', '--no-owner', '--no-privileges', '--file', file],
    url,
  )
  return (await stat(file)).size
}

/** Restores a dump into an empty database. Throws what pg_restore says. */
export async function restoreDatabase(file: string, url: string): Promise<void> {
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  const args = ['--exit-on-error', '--no-owner', '--no-privileges', '--dbname', database, file]
  await runClient('pg_restore', args, url)
}

async function runClient(program: string, args: readonly string[], url: string): Promise<void> {
  try {
    await run(program, [...args], { env: { ...process.env, ...clientEnv(url) }, timeout: DUMP_MS })
  } catch (error) {
    const { stderr = '', code } = error as { stderr?: string; code?: unknown }
    const said = stderr.trim().split('\n').at(-1) ?? ''
    throw new Error(`${program}: ${said || String(code)}`, { cause: error })
  }
}

/** In the environment: arguments of a process can be read by everybody on its machine. */
function clientEnv(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const sslMode = searchParams.get('sslmode')
  return {
    PGHOST: hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  }
}
