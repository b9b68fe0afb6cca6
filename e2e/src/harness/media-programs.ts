import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { MediaServer } from './provider.ts'
import { NODE, ROOT } from './service.ts'
import type { TurnServer } from './turn-server.ts'

export interface MediaPrograms {
  /** The number of rooms that the recorder at this port is recording. */
  recordingCount(port: number): Promise<number>
  /** `kill -9` of the recorder at this port, with its disk deleted. */
  loseRecorder(port: number): Promise<void>
  close(): Promise<void>
}

/** The media server and recorders as separate programs, as in production. */
export async function startMediaPrograms(options: {
  /** The loopback address of the media server, and its key. */
  mediaServer: MediaServer
  /** The media server runs already, and is not ours to end. */
  isForeign: boolean
  recorderPorts: readonly number[]
  /** The address for notifications of all programs. */
  serviceUrl: string
  /** The TURN server that the media server offers to clients. */
  turn?: TurnServer['offer'] | undefined
}): Promise<MediaPrograms> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-media-'))
  const { mediaServer, recorderPorts, serviceUrl, turn } = options
  const webhooks = { WEBHOOK_URL: `${serviceUrl}/api/v1/provider-events` }
  const { url, apiKey, apiSecret } = mediaServer
  const folderOf = (port: number) => path.join(folder, String(port))
  const own: ChildProcess[] = []
  if (!options.isForeign) {
    const embedded = await startProgram('interview-media-server.js', {
      ...webhooks,
      PORT: new URL(url).port,
      KEYS: `${apiKey}: ${apiSecret}`,
      ...(turn !== undefined && {
        TURN_URL: turn.urls.join(','),
        TURN_USERNAME: turn.username,
        TURN_CREDENTIAL: turn.credential,
      }),
    })
    own.push(embedded)
  }
  const recorders = new Map<number, ChildProcess>()
  for (const port of recorderPorts) {
    const recorder = await startProgram('interview-recorder.js', {
      ...webhooks,
      PORT: String(port),
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: apiKey,
      LIVEKIT_API_SECRET: apiSecret,
      EGRESS_DIR: folderOf(port),
    })
    recorders.set(port, recorder)
  }
  return {
    async recordingCount(port) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`)
      return ((await answer.json()) as { recording: number }).recording
    },
    async loseRecorder(port) {
      const recorder = recorders.get(port)
      if (recorder !== undefined) await endProgram(recorder, 'SIGKILL')
      recorders.delete(port)
      await rm(folderOf(port), { recursive: true, force: true })
    },
    async close() {
      const running = [...own, ...recorders.values()]
      await Promise.all(running.map(async (child) => endProgram(child, 'SIGTERM')))
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

async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
