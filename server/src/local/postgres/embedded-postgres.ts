import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../lib/ports.ts'
import { type PostgresBinaries, preparePostgresBinaries } from './binaries.ts'
import { type Cluster, ensureCluster } from './cluster.ts'
import { findPostmaster, isPostgresOn, type PostmasterPid } from './postmaster-pid.ts'

export interface EmbeddedPostgres {
  url: string
  folder: string
  /** True when a database that a killed service had left running was taken over. */
  isAdopted: boolean
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** False only for tests, whose rows nobody will miss after a power loss. */
  isDurable?: boolean
  onProblem?: (message: string) => void
}

const START_DEADLINE_MS = 30_000
const STOP_DEADLINE_MS = 15_000
const POLL_MS = 50
const RESTART_PAUSE_MS = 500
const WATCH_MS = 1_000

/**
 * Starts PostgreSQL on the data directory, or takes over one that already runs on it, and keeps it
 * running until `stop`. Throws when it does not answer within 30 s.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const binaries = await preparePostgresBinaries()
  const dataDir = path.resolve(options.dataDir)
  const cluster = await ensureCluster(dataDir, binaries)
  const supervision = { options, binaries, cluster, dataDir }
  const orphan = findPostmaster(cluster.folder)
  if (
    orphan !== undefined &&
    (await answersWithin(urlOf(cluster, orphan.port), START_DEADLINE_MS))
  ) {
    return adopt(supervision, orphan)
  }
  return launch(supervision)
}

interface Supervision {
  options: EmbeddedPostgresOptions
  binaries: PostgresBinaries
  cluster: Cluster
  dataDir: string
}

async function launch(supervision: Supervision): Promise<EmbeddedPostgres> {
  const { cluster, dataDir } = supervision
  const port = await freePort('127.0.0.1')
  const keeper = keepRunning(supervision, port)
  await keeper.start()
  if (!(await answersWithin(urlOf(cluster, port), START_DEADLINE_MS))) {
    await keeper.stop()
    throw new Error(`PostgreSQL did not start; its log is ${path.join(dataDir, 'postgres.log')}`)
  }
  return {
    url: urlOf(cluster, port),
    folder: cluster.folder,
    isAdopted: false,
    stop: () => keeper.stop(),
  }
}

/** The server of a killed service: no child of ours, so it is looked after by its process id. */
function adopt(supervision: Supervision, { pid, port }: PostmasterPid): EmbeddedPostgres {
  const { folder } = supervision.cluster
  const keeper = keepRunning(supervision, port)
  const watch = setInterval(() => {
    if (isPostgresOn(pid, folder)) return
    clearInterval(watch)
    keeper.ended('it was gone')
  }, WATCH_MS).unref()
  return {
    url: urlOf(supervision.cluster, port),
    folder,
    isAdopted: true,
    stop: async () => {
      clearInterval(watch)
      await keeper.stop()
    },
  }
}

interface Keeper {
  start(): Promise<void>
  /** Starts it again on the same port, where pools expect it. */
  ended(how: string): void
  stop(): Promise<void>
}

function keepRunning(supervision: Supervision, port: number): Keeper {
  const { cluster, options } = supervision
  let isStopping = false

  async function start(): Promise<void> {
    const child = await spawnPostgres(supervision, port)
    child.once('exit', (code) => ended(`exit code ${code}`))
  }

  function ended(how: string): void {
    if (isStopping) return
    options.onProblem?.(`PostgreSQL ended unexpectedly (${how}); starting it again`)
    setTimeout(() => {
      if (!isStopping) start().catch((error: unknown) => ended(String(error)))
    }, RESTART_PAUSE_MS)
  }

  return {
    start,
    ended,
    async stop() {
      isStopping = true
      await stopPostmaster(cluster)
    },
  }
}

async function spawnPostgres(
  { binaries, cluster, dataDir, options }: Supervision,
  port: number,
): Promise<ChildProcess> {
  // Left over from a killed server. Its process id may belong to somebody else by now, and then
  // PostgreSQL would refuse to start.
  if (findPostmaster(cluster.folder) === undefined) {
    await rm(path.join(cluster.folder, 'postmaster.pid'), { force: true })
  }
  const log = await open(path.join(dataDir, 'postgres.log'), 'a', 0o600)
  if (binaries.runAs !== undefined) {
    await chown(path.join(dataDir, 'postgres.log'), binaries.runAs.uid, binaries.runAs.gid)
  }
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    ...(options.isDurable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  try {
    const child = spawn(binaries.postgres, ['-D', cluster.folder, ...flags], {
      ...binaries.runAs,
      cwd: '/',
      stdio: ['ignore', log.fd, log.fd],
      // A group of its own, so that the terminal's Ctrl-C reaches us and not the database first.
      detached: true,
    })
    await once(child, 'spawn')
    child.unref()
    return child
  } finally {
    await log.close()
  }
}

function urlOf(cluster: Cluster, port: number): string {
  return `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`
}

async function answersWithin(url: string, deadlineMs: number): Promise<boolean> {
  const end = performance.now() + deadlineMs
  while (performance.now() < end) {
    const probe = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    probe.on('error', () => {})
    try {
      await probe.connect()
      await probe.end()
      return true
    } catch {
      await delay(POLL_MS)
    }
  }
  return false
}

/** "Fast" shutdown: open transactions are rolled back, everything committed is on disk. */
async function stopPostmaster(cluster: Cluster): Promise<void> {
  const running = findPostmaster(cluster.folder)
  if (running === undefined) return
  process.kill(running.pid, 'SIGINT')
  const end = performance.now() + STOP_DEADLINE_MS
  while (isPostgresOn(running.pid, cluster.folder)) {
    if (performance.now() > end) throw new Error('PostgreSQL did not stop')
    await delay(POLL_MS)
  }
}
