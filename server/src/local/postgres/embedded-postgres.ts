import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { freePort } from '../ports.ts'
import { type PostgresBinaries, preparePostgresBinaries } from './binaries.ts'
import { type Cluster, ensureCluster } from './cluster.ts'
import { findPostmaster, isPostgresOn } from './postmaster-pid.ts'

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
  const orphan = findPostmaster(cluster.folder)
  const adoptedUrl = orphan === undefined ? undefined : urlOf(cluster, orphan.port)
  if (adoptedUrl !== undefined && (await answersWithin(adoptedUrl, START_DEADLINE_MS))) {
    return {
      url: adoptedUrl,
      folder: cluster.folder,
      isAdopted: true,
      stop: () => stopPostmaster(cluster),
    }
  }
  return superviseNew({ options, binaries, cluster, dataDir })
}

interface Supervision {
  options: EmbeddedPostgresOptions
  binaries: PostgresBinaries
  cluster: Cluster
  dataDir: string
}

async function superviseNew(supervision: Supervision): Promise<EmbeddedPostgres> {
  const { cluster, options } = supervision
  const port = await freePort('127.0.0.1')
  const url = urlOf(cluster, port)
  let isStopping = false

  async function launch(): Promise<void> {
    const child = await spawnPostgres(supervision, port)
    child.once('exit', (code) => {
      if (isStopping) return
      options.onProblem?.(`PostgreSQL ended by itself (exit code ${code}); starting it again`)
      setTimeout(() => {
        if (!isStopping) void launch().catch((error: unknown) => options.onProblem?.(String(error)))
      }, RESTART_PAUSE_MS)
    })
  }

  await launch()
  if (!(await answersWithin(url, START_DEADLINE_MS))) {
    isStopping = true
    await stopPostmaster(cluster)
    throw new Error(
      `PostgreSQL did not start; its log is ${path.join(supervision.dataDir, 'postgres.log')}`,
    )
  }
  return {
    url,
    folder: cluster.folder,
    isAdopted: false,
    stop: async () => {
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
    const probe = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} })
    try {
      await probe`select 1`
      return true
    } catch {
      await delay(POLL_MS)
    } finally {
      await probe.end({ timeout: 1 })
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
