import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { programEnvironment } from '@interview-room/composer/program-environment.ts'
import { loopbackOf } from './lib/ports.ts'
import { StartError } from './lib/start-error.ts'

export interface EmbeddedMediaOptions {
  dataDir: string
  host: string
  port: number
  apiKey: string
  apiSecret: string
  /** The address for the media server's notifications. */
  webhookUrl: string
  /** One more address to announce for media, for guests from other machines. */
  nodeIp: string | undefined
  egress: EmbeddedEgressOptions
  /** The program of another media server, such as one with faults. */
  program?: string | undefined
  onProblem: (message: string) => void
  /** How long a request may stay unanswered before the media server is restarted. */
  silenceMaxMs?: number
}

/** The settings for recording. */
export interface EmbeddedEgressOptions {
  /** The folder for files without an upload, which is the storage's. */
  outputDir: string
  ffmpegPath: string | undefined
}

export interface EmbeddedMedia {
  /** Id of the current process. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

const PROGRAM = '@interview-room/media-server/bin/interview-media-server.js'
const START_DEADLINE_MS = 20_000
const STOP_DEADLINE_MS = 5_000
const RESTART_PAUSE_MS = 1_000
/**
 * A process that hangs never recovers, and waiting costs little. A slow one on a busy machine does recover: it has been silent for
 * five seconds, and ending it disconnects everybody and interrupts every recording.
 */
const SILENCE_MAX_MS = 15_000
const LOOK_EVERY_MS = 1_000
/** One check may fail because this process itself stood still. */
const LOOKS_MISSED_MAX = 2

/**
 * Runs the media server as a child process. It is restarted when it ends unexpectedly, or no longer answers. It watches its
 * standard input, so that it ends with us even if we are killed.
 */
export async function startEmbeddedMedia(options: EmbeddedMediaOptions): Promise<EmbeddedMedia> {
  let isStopping = false
  let child = await launch(options)
  watch(child)

  function watch(running: ChildProcess): void {
    const looking = new AbortController()
    running.once('exit', (code, signal) => {
      looking.abort()
      if (isStopping) return
      const how = code === null ? signal : `exit code ${code}`
      options.onProblem(`the media server ended unexpectedly (${how}); starting it again`)
      setTimeout(() => void relaunch(), RESTART_PAUSE_MS)
    })
    void endWhenSilent(running, looking.signal)
  }

  async function endWhenSilent(running: ChildProcess, signal: AbortSignal): Promise<void> {
    if (await staysAnswering(options, signal)) return
    if (isStopping) return
    options.onProblem('the media server does not answer any more; ending it')
    // A process that stands still reacts to no other signal.
    running.kill('SIGKILL')
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
    get pid() {
      return child.pid
    },
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

/** Checks again and again: returns false once the server no longer answers, true when told to stop. */
async function staysAnswering(
  { host, port, silenceMaxMs = SILENCE_MAX_MS }: EmbeddedMediaOptions,
  end: AbortSignal,
): Promise<boolean> {
  const url = `http://${loopbackOf(host)}:${port}/`
  const pauseMs = silenceMaxMs / LOOKS_MISSED_MAX
  let missed = 0
  while (missed < LOOKS_MISSED_MAX) {
    const [hasAnswered] = await Promise.all([
      answers(url, AbortSignal.any([end, AbortSignal.timeout(pauseMs)])),
      // A server that refuses immediately is not checked more often.
      sleep(Math.min(pauseMs, LOOK_EVERY_MS), undefined, { ref: false, signal: end }).catch(
        () => {},
      ),
    ])
    if (end.aborted) return true
    missed = hasAnswered ? 0 : missed + 1
  }
  return false
}

/** Uses the plain client: `fetch` is twice the work, and this runs all day. */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const request = get(url, { signal })
  // Errors after the answer do not matter.
  request.on('error', () => {})
  try {
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return true
  } catch {
    return false
  }
}

async function launch(options: EmbeddedMediaOptions): Promise<ChildProcess> {
  const { ffmpegPath } = options.egress
  const program = options.program ?? createRequire(import.meta.url).resolve(PROGRAM)
  const child = spawn(process.execPath, [program, ...argumentsOf(options)], {
    // The secret goes by the environment: command lines can be read by everybody.
    env: {
      ...programEnvironment(),
      // The cache of compiled code, which halves the work of the start.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
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
    ...(nodeIp === undefined ? [] : ['--node-ip', nodeIp]),
  ]
}
