import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { embeddedServer, type MediaServer } from './provider.ts'
import { NODE, ROOT, type Service } from './service.ts'

const PROGRAM = path.join(ROOT, 'media-server/bin/interview-recorder.js')

/** A recorder beside the media server of a service, as a process that can be lost. */
export interface RecorderProcess {
  start(): Promise<void>
  /** `kill -9`. The next start finds the files on its disk. */
  kill(): Promise<void>
  /** Stops the process, or lets it run again. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** `kill -9`, and the files on its disk are deleted. */
  lose(): Promise<void>
}

/**
 * A recorder for a service that was started with `LIVEKIT_EGRESS_URL` at this port of 127.0.0.1. It records the rooms of `server`,
 * by default of the embedded one, with these settings on top.
 */
export function recorderOf(
  service: Service,
  port: number,
  { server, env = {} }: { server?: MediaServer | undefined; env?: Record<string, string> } = {},
): RecorderProcess {
  const folder = env['EGRESS_DIR'] ?? path.join(service.dataDir, 'recorder')
  let child: ChildProcess | undefined

  async function kill(): Promise<void> {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
  }

  return {
    async start() {
      await mkdir(folder, { recursive: true })
      const { url, apiKey, apiSecret } = server ?? embeddedServer(service)
      const running = spawn(NODE, [PROGRAM, '--parent-watch'], {
        env: {
          PATH: process.env['PATH'],
          LIVEKIT_URL: url,
          LIVEKIT_API_KEY: apiKey,
          LIVEKIT_API_SECRET: apiSecret,
          WEBHOOK_URL: `${service.local.base_url}/api/v1/provider-events`,
          EGRESS_DIR: folder,
          EGRESS_OUTPUT_DIR: path.join(service.dataDir, 'storage'),
          PORT: String(port),
          ...env,
        },
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      child = running
      await once(createInterface({ input: running.stdout }), 'line')
    },
    kill,
    signal: (signal) => void child?.kill(signal),
    async lose() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
