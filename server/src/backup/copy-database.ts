import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'

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
  const { PGDATABASE = '' } = clientEnv(url)
  const args = ['--exit-on-error', '--no-owner', '--no-privileges', '--dbname', PGDATABASE, file]
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

const SSL_SETTINGS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** Passed in the environment, because everybody on the machine can read a process's arguments. */
export function clientEnv(url: string): Record<string, string> {
  // Parsed as the service does, with addresses of IPv6 and sockets.
  const { host, port, user, password, database } = new Client({ connectionString: withoutSsl(url) })
  const { searchParams } = new URL(url)
  const ssl = SSL_SETTINGS.flatMap((name): [string, string][] => {
    const value = searchParams.get(name)
    return value === null ? [] : [[`PG${name.toUpperCase()}`, value]]
  })
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user ?? '',
    PGPASSWORD: typeof password === 'string' ? password : '',
    PGDATABASE: database ?? '',
    ...Object.fromEntries(ssl),
  }
}

/** Reading the address would read the files that it names. */
function withoutSsl(url: string): string {
  const bare = new URL(url)
  for (const name of SSL_SETTINGS) bare.searchParams.delete(name)
  return bare.href
}
