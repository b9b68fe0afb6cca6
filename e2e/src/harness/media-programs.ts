import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { LIVEKIT_KEY } from './cluster.ts'
import { NODE, ROOT } from './service.ts'

export interface MediaPrograms {
  close(): Promise<void>
}

/** The media server and the recorder as programs of their own, as they stand beside the service in production. */
export async function startMediaPrograms(options: {
  mediaPort: number
  recorderPort: number
  /** Where both send their notifications. */
  serviceUrl: string
}): Promise<MediaPrograms> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-media-'))
  const { mediaPort, recorderPort, serviceUrl } = options
  const webhooks = { WEBHOOK_URL: `${serviceUrl}/api/v1/provider-events` }
  const { apiKey, apiSecret } = LIVEKIT_KEY
  const running: ChildProcess[] = []
  running.push(
    await startProgram('interview-media-server.js', {
      ...webhooks,
      PORT: String(mediaPort),
      KEYS: `${apiKey}: ${apiSecret}`,
    }),
    await startProgram('interview-recorder.js', {
      ...webhooks,
      PORT: String(recorderPort),
      LIVEKIT_URL: `http://127.0.0.1:${mediaPort}`,
      LIVEKIT_API_KEY: apiKey,
      LIVEKIT_API_SECRET: apiSecret,
      EGRESS_DIR: folder,
    }),
  )
  return {
    async close() {
      await Promise.all(running.map(async (child) => endProgram(child)))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startProgram(name: string, env: Record<string, string>): Promise<ChildProcess> {
  const program = path.join(ROOT, 'media-server/bin', name)
  const child = spawn(NODE, [program, '--parent-watch'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  await once(createInterface({ input: child.stdout }), 'line')
  return child
}

async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
