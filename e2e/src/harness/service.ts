import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openAdminDeps } from '@interview-room/server/src/admin/open-deps.ts'
import { runAdmin } from '@interview-room/server/src/admin/run-admin.ts'
import { freePort as freePortAt } from '@interview-room/server/src/local/lib/ports.ts'
import { LATER_MS, waitFor } from './wait.ts'

export const ROOT = path.resolve(import.meta.dirname, '../../..')
export const NODE = process.execPath
/** The end of the start's output, printed when everything is ready. */
const LAST_WORDS = 'Ctrl-C stops everything'
const START = 'server/src/local/start.ts'
const FAULTY_START = 'e2e/src/harness/faulty-start.ts'

/** The content of `DATA_DIR/local.json`, for a script that acts as the tenant. */
export interface LocalFile {
  base_url: string
  tenant_id: string
  api_key: string
  token_key: { kid: string; alg: string; private_jwk: JsonWebKey }
}

export interface Service {
  local: LocalFile
  dataDir: string
  /** The file with all of its output. */
  outputFile: string
  /** Its output so far. */
  output(): string
  /** Ctrl-C; returns the exit code. */
  stop(): Promise<number | null>
  /** `kill -9` of only the service's own process. */
  kill(): Promise<void>
  /** One call of `npm run admin`, in this process; throws if it fails. */
  admin(...args: string[]): Promise<unknown>
}

/** A service that the caller started. */
export interface OwnService extends Service {
  /** Process id of the service. Its child processes are the programs that it starts. */
  pid: number
  /** Its exit code, or the signal that ended it. */
  ended: Promise<string>
}

export interface ServiceOptions {
  dataDir?: string
  port?: number
  env?: Record<string, string>
  /** Tests can make its media server fail (harness/faults.ts). */
  hasFaults?: boolean
}

export const freePort = (): Promise<number> => freePortAt('127.0.0.1')

export async function makeDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'interview-room-e2e-'))
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

/** `npm start` without npm in between, so that a signal reaches the service itself. */
export async function startService(options: ServiceOptions = {}): Promise<OwnService> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const port = options.port ?? (await freePort())
  const env = {
    ...process.env,
    // Tests leave the machine as it is.
    INSTALL_MISSING: 'false',
    DATA_DIR: dataDir,
    PORT: String(port),
    MEDIA_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    ...options.env,
  }
  // A file, not a pipe, so that the service can write even if nobody reads.
  const outputFile = path.join(dataDir, `output-${randomUUID()}.log`)
  const sink = openSync(outputFile, 'w')
  const start = options.hasFaults === true ? FAULTY_START : START
  const child = spawn(NODE, [start], { cwd: ROOT, env, stdio: ['ignore', sink, sink] })
  closeSync(sink)
  const ended = once(child, 'exit').then(([code, signal]) => String(code ?? signal))

  const base = `http://localhost:${port}`
  await waitFor(() => isReady(base, { child, outputFile }), {
    what: 'the service is ready',
    timeoutMs: LATER_MS,
  }).catch(async (error: unknown) => {
    await end(child, 'SIGTERM')
    const output = readFileSync(outputFile, 'utf8')
    throw new Error(`the service did not start:\n${output}`, { cause: error })
  })
  const local = JSON.parse(readFileSync(path.join(dataDir, 'local.json'), 'utf8')) as LocalFile
  return {
    ...describeService({ local, dataDir, outputFile }),
    pid: child.pid ?? 0,
    ended,
    stop: () => end(child, 'SIGINT'),
    kill: async () => {
      await end(child, 'SIGKILL')
    },
  }
}

/** The queries of a running service, no matter who started it. */
export function describeService(
  running: Pick<Service, 'local' | 'dataDir' | 'outputFile'>,
): Omit<Service, 'stop' | 'kill'> {
  return {
    ...running,
    output: () => readFileSync(running.outputFile, 'utf8'),
    admin: (...args) => callAdmin(args, running.dataDir),
  }
}

interface ServiceStart {
  child: ChildProcess
  outputFile: string
}

/** Waits until it answers, and its start has printed everything: the files that scripts read are complete by then. */
async function isReady(base: string, { child, outputFile }: ServiceStart): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}`)
  if (!readFileSync(outputFile, 'utf8').includes(LAST_WORDS)) return false
  const answer = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(5_000) })
  const { checks } = (await answer.json()) as { checks: Record<string, { status: string }[]> }
  // The tests start recorders if they need them, after the service.
  const needed = Object.entries(checks).filter(([name]) => name !== 'recorders:responseTime')
  return answer.status === 200 && needed.every(([, [each]]) => each?.status === 'pass')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return child.exitCode
}

async function callAdmin(args: readonly string[], dataDir: string): Promise<unknown> {
  const env = { ...process.env, DATA_DIR: dataDir }
  const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], () => openAdminDeps(env))
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}
