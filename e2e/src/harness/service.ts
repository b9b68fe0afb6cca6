import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { waitFor } from './wait.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const NODE = path.join(ROOT, 'node_modules/.bin/node')
const START = ['scripts/run.mjs', 'server/src/local/start.ts']

/** What `DATA_DIR/local.json` tells a script that acts as the tenant. */
export interface LocalFile {
  base_url: string
  tenant_id: string
  api_key: string
  token_key: { kid: string; alg: string; private_jwk: JsonWebKey }
  webhook: { url: string; secret: string }
}

export interface Service {
  local: LocalFile
  dataDir: string
  /** Everything it printed so far. */
  output(): string
  /** Ctrl-C; answers the exit code. */
  stop(): Promise<number | null>
  /** `kill -9` of the service's own process, nothing else. */
  kill(): Promise<void>
  admin(...args: string[]): Promise<unknown>
}

export interface ServiceOptions {
  dataDir?: string
  port?: number
  env?: Record<string, string>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export async function makeDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'interview-room-e2e-'))
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

/** `npm start` without npm in between, so that a signal reaches the service itself. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const port = options.port ?? (await freePort())
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    MEDIA_PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    ...options.env,
  }
  const child = spawn(NODE, START, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))

  const base = `http://localhost:${port}`
  await waitFor(() => isReady(base, child), {
    what: 'the service is ready',
    timeoutMs: 120_000,
  }).catch(async (error: unknown) => {
    await end(child, 'SIGTERM')
    throw new Error(`the service did not start:\n${output}`, { cause: error })
  })
  const local = JSON.parse(readFileSync(path.join(dataDir, 'local.json'), 'utf8')) as LocalFile
  return {
    local,
    dataDir,
    output: () => output,
    stop: () => end(child, 'SIGINT'),
    kill: async () => {
      await end(child, 'SIGKILL')
    },
    admin: (...args) => runAdmin(args, dataDir),
  }
}

async function isReady(base: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}`)
  const answer = await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(5_000) })
  const body = (await answer.json()) as { status: string }
  return answer.status === 200 && body.status === 'pass'
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return child.exitCode
}

async function runAdmin(args: string[], dataDir: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    NODE,
    ['scripts/run.mjs', 'server/src/admin/admin.ts', ...args, '--json'],
    { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } },
  )
  return JSON.parse(stdout)
}
