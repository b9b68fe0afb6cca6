import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { MediaServer } from '@interview-room/e2e/src/harness/provider.ts'
import { freePort } from '@interview-room/e2e/src/harness/service.ts'
import { cpuSecOf, type ProcessUsage } from './process-usage.ts'

const KEY = { id: 'benchkey', secret: 'a-secret-that-only-the-bench-knows' }

export interface MeasuredMediaServer {
  pid: number
  server: MediaServer
  /** The environment variables that make the service use it. */
  settings: Record<string, string>
  usage(): Promise<ProcessUsage>
  stop(): void
}

/** Loaded into the server's process: on a signal it collects garbage and reports the remaining heap. */
const PROBE = `process.on('SIGUSR2', () => {
  gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.stdout.write('usage ' + JSON.stringify({ live: heapUsed + external, rss }) + '\\n')
})`

const MIB = 1024 ** 2

/** Starts the embedded media server as a process that reports its memory on request. */
export async function startMeasuredMediaServer({
  notifies,
}: {
  /** Port of the service that receives the provider's webhooks. */
  notifies: number
}): Promise<MeasuredMediaServer> {
  const port = await freePort()
  const program = createRequire(import.meta.url).resolve(
    '@interview-room/media-server/bin/interview-media-server.js',
  )
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      `--import=data:text/javascript,${encodeURIComponent(PROBE)}`,
      program,
      '--host=127.0.0.1',
      `--port=${port}`,
      `--webhook-url=http://127.0.0.1:${notifies}/api/v1/provider-events`,
      `--webhook-key=${KEY.id}`,
    ],
    {
      env: { ...process.env, KEYS: `${KEY.id}: ${KEY.secret}` },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  const { pid } = child
  if (pid === undefined) throw new Error('the media server did not start')

  const url = `http://127.0.0.1:${port}`
  return {
    pid,
    server: { url, apiKey: KEY.id, apiSecret: KEY.secret },
    settings: {
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: KEY.id,
      LIVEKIT_API_SECRET: KEY.secret,
    },
    async usage() {
      const cpuSec = cpuSecOf(pid)
      const answer = once(lines, 'line')
      child.kill('SIGUSR2')
      const [line] = (await answer) as [string]
      const { live, rss } = JSON.parse(line.replace(/^usage /, '')) as { live: number; rss: number }
      return { cpuSec, rssMiB: rss / MIB, liveMiB: live / MIB }
    },
    stop() {
      child.kill('SIGTERM')
    },
  }
}
