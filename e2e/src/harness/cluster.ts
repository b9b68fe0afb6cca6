import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { openAdminDeps } from '@interview-room/server/src/admin/open-deps.ts'
import { runAdmin } from '@interview-room/server/src/admin/run-admin.ts'
import { startEmbeddedPostgres } from '@interview-room/server/src/local/postgres/embedded-postgres.ts'
import { findPostmaster } from '@interview-room/server/src/local/postgres/postmaster-pid.ts'
import { hostInUrl } from '@interview-room/server/src/platform/config/config.ts'
import { makeTenant } from './new-tenant.ts'
import { type PlayedLivekit, playLivekit } from './played-livekit.ts'
import { freePort, type LocalFile, makeDataDir, NODE, ROOT, removeDataDir } from './service.ts'
import { LATER_MS, waitFor } from './wait.ts'

export const LIVEKIT_KEY = { apiKey: 'clusterkey', apiSecret: 'a-secret-that-only-tests-know-of' }
const SERVE = 'server/src/main.ts'

/** `npm run serve` in several processes on one database, as in production. */
export interface Cluster {
  apis: readonly Member[]
  workers: readonly Member[]
  livekit: PlayedLivekit
  /** A tenant whose addresses are those of `PUBLIC_URL`, by default of the first api process. */
  tenant: LocalFile
  /** The settings of every process. */
  settings: Readonly<Record<string, string>>
  admin(...args: string[]): Promise<unknown>
  /** Kills the database, and starts it again. */
  crashDatabase(): Promise<void>
  stop(): Promise<void>
}

export interface Member {
  name: string
  base: string
  pid(): number
  /** Ends of processes that nobody requested. */
  ends: string[]
  /** `kill -9`, and a new process in its place. */
  kill(): Promise<void>
  /** Sends a signal to stop; returns the exit code. */
  stop(): Promise<number | null>
  start(): Promise<void>
  output(): string
}

export interface ClusterOptions {
  apis: number
  workers: number
  /** The port of the first api process; a free one by default. */
  port?: number
  /** Addresses of the api processes, which then all listen at `port`. By default each has a separate port. */
  apiHosts?: readonly string[]
  env?: Record<string, string>
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { apis, workers, env = {} } = options
  const dataDir = await makeDataDir()
  const livekit = await playLivekit()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const port = options.port ?? (await freePort())
  const settings = {
    DATABASE_URL: postgres.url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: `http://localhost:${port}`,
    LIVEKIT_URL: livekit.url,
    LIVEKIT_API_KEY: LIVEKIT_KEY.apiKey,
    LIVEKIT_API_SECRET: LIVEKIT_KEY.apiSecret,
    WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'true',
    MEDIA_PROBE_EVERY_SEC: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    ...env,
  }
  const member = async (role: 'api' | 'worker', n: number): Promise<Member> => {
    const host = role === 'api' ? options.apiHosts?.[n] : undefined
    const isAtPort = role === 'api' && (n === 0 || host !== undefined)
    const own = {
      ROLE: role,
      PORT: String(isAtPort ? port : await freePort()),
      ...(host !== undefined && { HOST: host }),
    }
    return createMember(`${role}-${n + 1}`, { ...settings, ...own }, dataDir)
  }
  const members = {
    apis: await Promise.all(Array.from({ length: apis }, (_, n) => member('api', n))),
    workers: await Promise.all(Array.from({ length: workers }, (_, n) => member('worker', n))),
  }
  const all = [...members.apis, ...members.workers]
  async function stop(): Promise<void> {
    await Promise.all(all.map((each) => each.stop()))
    await postgres.stop()
    await livekit.close()
    removeDataDir(dataDir)
  }
  try {
    await Promise.all(all.map((each) => each.start()))
  } catch (error) {
    await stop()
    throw error
  }

  const admin = async (...args: string[]): Promise<unknown> => {
    const environment = { ...process.env, ...settings }
    const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], () =>
      openAdminDeps(environment),
    )
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const local = { base_url: settings.PUBLIC_URL } as LocalFile
  return {
    ...members,
    livekit,
    settings,
    tenant: await makeTenant({ admin, local }, 'Cluster'),
    admin,
    async crashDatabase() {
      const running = findPostmaster(postgres.folder)
      if (running === undefined) throw new Error('there is no database')
      process.kill(running.pid, 'SIGKILL')
      const isBack = () => {
        const again = findPostmaster(postgres.folder)
        return again !== undefined && again.pid !== running.pid
      }
      await waitFor(isBack, { what: 'the database is back' })
    },
    stop,
  }
}

function createMember(name: string, env: Record<string, string>, dataDir: string): Member {
  const outputFile = path.join(dataDir, `${name}.log`)
  const base = `http://${hostInUrl(env['HOST'] ?? 'localhost')}:${env['PORT']}`
  const ends: string[] = []
  let child: ChildProcess | undefined
  let isEnding = false

  async function start(): Promise<void> {
    isEnding = false
    const sink = openSync(outputFile, 'a')
    const stdio = ['ignore', sink, sink] as const
    const started = spawn(NODE, [SERVE], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: [...stdio],
    })
    closeSync(sink)
    child = started
    started.once('exit', (code, signal) => {
      if (!isEnding) ends.push(`${name} ended with ${code ?? signal}`)
    })
    const lines = () =>
      readFileSync(outputFile, 'utf8').match(/^(?:serving|working) /gm)?.length ?? 0
    const before = lines()
    await waitFor(() => lines() > before || started.exitCode !== null, {
      what: `${name} serves`,
      timeoutMs: LATER_MS,
    })
    if (started.exitCode !== null) throw new Error(readFileSync(outputFile, 'utf8'))
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    isEnding = true
    if (child === undefined) return null
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }

  return {
    name,
    base,
    ends,
    start,
    pid: () => child?.pid ?? 0,
    async kill() {
      await end('SIGKILL')
      await start()
    },
    stop: () => end('SIGTERM'),
    output: () => readFileSync(outputFile, 'utf8'),
  }
}
