import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../local/postgres/embedded-postgres.ts'
import { identifier, openDb } from '../platform/db/db.ts'
import { migrate } from '../platform/db/migrate.ts'

/** Two servers with the same migrated database: one takes writes and the other follows it. */
export interface Replicated {
  primaryUrl: string
  /** Answers everything that only reads. */
  standbyUrl: string
  stop(): Promise<void>
}

const DATABASE = 'rooms'

/** Copies a stopped primary, because the embedded PostgreSQL comes without `pg_basebackup`. */
export async function startReplicated(): Promise<Replicated> {
  const [dataDir, copyDir] = [await makeFolder(), await makeFolder()]
  const first = await startEmbeddedPostgres({ dataDir, isDurable: false })
  const admin = openDb({ url: first.url, poolSize: 1, applicationName: 'tests' })
  await admin`create database ${identifier(DATABASE)}`
  await admin.end()
  await migrate({ url: databaseOf(first) })
  await first.stop()

  // Keeps the owner of the files, whom root is not.
  await promisify(execFile)('cp', ['-a', `${dataDir}/.`, copyDir])
  const primary = await startEmbeddedPostgres({ dataDir, isDurable: false })
  await makeStandby(path.join(copyDir, 'postgres'), primary.url)
  const standby = await startEmbeddedPostgres({ dataDir: copyDir, isDurable: false })
  return {
    primaryUrl: databaseOf(primary),
    standbyUrl: databaseOf(standby),
    async stop() {
      await standby.stop()
      await primary.stop()
      for (const folder of [dataDir, copyDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

const makeFolder = () => mkdtemp(path.join(tmpdir(), 'interview-room-replicated-'))

function databaseOf({ url }: EmbeddedPostgres): string {
  return url.replace(/\/postgres$/, `/${DATABASE}`)
}

async function makeStandby(cluster: string, primaryUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(primaryUrl)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await writeFile(path.join(cluster, 'standby.signal'), '')
}
