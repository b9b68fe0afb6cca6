import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort } from '../local/lib/ports.ts'
import { TEST_ENVIRONMENT } from './deps.ts'
import { waitFor } from './wait-for.ts'

/** A machine that is busy with other suites takes long to start a process. */
const START_MS = 240_000

const MAIN = path.resolve(import.meta.dirname, '../main.ts')

/** The service in a separate process, as `npm run serve` starts it. */
export interface ServiceProcess {
  /** Origin of the API. Nothing listens there in a worker. */
  origin: string
  port: number
  /** Origin of the operations port. */
  operations: string
  /** The output so far, including log lines. */
  output: () => string
  /** Stops the process where it is, until it is thawed. */
  freeze: () => void
  thaw: () => void
  /** Sends the signal; returns how the process ended, and after how long. */
  stop: (signal?: NodeJS.Signals) => Promise<{ exitCode: number | null; tookMs: number }>
}

export interface ProcessOptions {
  databaseUrl: string
  role: 'all' | 'api' | 'worker'
  port?: number
  env?: Record<string, string>
  /** The sources by default. */
  program?: string
}

export interface SpawnedService {
  child: ChildProcess
  port: number
  operations: string
  output: () => string
}

/** Starts the process without waiting for anything. */
export async function spawnService(options: ProcessOptions): Promise<SpawnedService> {
  const port = options.port ?? (await freePort('127.0.0.1'))
  const operationsPort = await freePort('127.0.0.1')
  const child = spawn(process.execPath, [options.program ?? MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...TEST_ENVIRONMENT,
      LOG_LEVEL: 'warn',
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ROLE: options.role,
      PORT: String(port),
      OPERATIONS_PORT: String(operationsPort),
      DATABASE_URL: options.databaseUrl,
      DATABASE_POOL_SIZE: '4',
      ...options.env,
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  }
  const operations = `http://127.0.0.1:${operationsPort}`
  return { child, port, operations, output: () => printed }
}

/** Resolves when the process reports that it serves or works. If it ends instead, throws its output. */
export async function startServiceProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { child, port, operations, output } = await spawnService(options)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await waitFor(() => {
    if (hasEnded()) throw new Error(`the service did not start:\n${output()}`)
    return /^(?:serving|working) /m.test(output())
  }, START_MS)
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    operations,
    output,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop(signal = 'SIGTERM') {
      const startMs = performance.now()
      if (!hasEnded()) {
        const exited = once(child, 'exit')
        child.kill(signal)
        await exited
      }
      return { exitCode: child.exitCode, tookMs: performance.now() - startMs }
    },
  }
}
