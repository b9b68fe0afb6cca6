import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { StartError } from './start-error.ts'

export interface EmbeddedMediaOptions {
  dataDir: string
  host: string
  port: number
  apiKey: string
  apiSecret: string
  /** Where the media server sends its notifications. */
  webhookUrl: string
  /** One more address to announce for media, for guests from other machines. */
  nodeIp: string | undefined
  egress: EmbeddedEgressOptions
  onProblem: (message: string) => void
}

/** What the media server needs to record. */
export interface EmbeddedEgressOptions {
  /** Where files without an upload are written: the storage's folder. */
  outputDir: string
  ffmpegPath: string | undefined
  /** For tests: lets callers inject faults. */
  hasFaults: boolean
}

export interface EmbeddedMedia {
  stop(): Promise<void>
}

const PROGRAM = '@interview-room/media-server/bin/interview-media-server.js'
const START_DEADLINE_MS = 20_000
const STOP_DEADLINE_MS = 5_000
const RESTART_PAUSE_MS = 1_000

/**
 * Runs the media server as a process of its own and starts it again when it ends by itself. It
 * watches its standard input, so that it ends with us even when we are killed.
 */
export async function startEmbeddedMedia(options: EmbeddedMediaOptions): Promise<EmbeddedMedia> {
  let isStopping = false
  let child = await launch(options)
  watch(child)

  function watch(running: ChildProcess): void {
    running.once('exit', (code) => {
      if (isStopping) return
      options.onProblem(`the media server ended by itself (exit code ${code}); starting it again`)
      setTimeout(() => void relaunch(), RESTART_PAUSE_MS)
    })
  }

  async function relaunch(): Promise<void> {
    if (isStopping) return
    try {
      child = await launch(options)
      watch(child)
    } catch (error) {
      options.onProblem(String(error))
      setTimeout(() => void relaunch(), RESTART_PAUSE_MS)
    }
  }

  return {
    async stop() {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

async function launch(options: EmbeddedMediaOptions): Promise<ChildProcess> {
  const { ffmpegPath } = options.egress
  const child = spawn(process.execPath, [programPath(), ...argumentsOf(options)], {
    // The secret goes by the environment: command lines can be read by everybody.
    env: {
      PATH: process.env['PATH'],
      KEYS: `${options.apiKey}: ${options.apiSecret}`,
      ...(ffmpegPath === undefined ? {} : { FFMPEG_PATH: ffmpegPath }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => {})
  const logFile = path.join(options.dataDir, 'media-server.log')
  child.stderr.pipe(createWriteStream(logFile, { flags: 'a', mode: 0o600 }))

  const lines = createInterface({ input: child.stdout })
  const signal = AbortSignal.timeout(START_DEADLINE_MS)
  const isListening = await Promise.race([
    once(lines, 'line', { signal }).then(([line]) => String(line).startsWith('listening on ')),
    once(child, 'exit', { signal }).then(() => false),
  ]).catch(() => false)
  if (isListening) return child
  child.kill('SIGKILL')
  throw new StartError(`The media server did not start; its log is ${logFile}`)
}

function programPath(): string {
  return createRequire(import.meta.url).resolve(PROGRAM)
}

function argumentsOf(options: EmbeddedMediaOptions): string[] {
  const { host, port, apiKey, webhookUrl, nodeIp, dataDir, egress } = options
  return [
    '--host',
    host,
    '--port',
    String(port),
    '--webhook-url',
    webhookUrl,
    '--webhook-key',
    apiKey,
    '--parent-watch',
    '--egress-dir',
    path.join(dataDir, 'media', 'egress'),
    '--egress-output-dir',
    egress.outputDir,
    ...(egress.hasFaults ? ['--faults'] : []),
    ...(nodeIp === undefined ? [] : ['--node-ip', nodeIp]),
  ]
}
