import path from 'node:path'
import { parseArgs } from 'node:util'
import type { EgressOptions } from './egress/egresses.ts'
import { type Log, type LogEntry, reasonOf } from './log.ts'
import { type MediaServer, type MediaServerOptions, startMediaServer } from './server.ts'

const HELP = `A LiveKit-compatible media server for one machine.

Usage: interview-media-server [options]

  --host <address>            address to listen on (HOST, default 127.0.0.1)
  --port <number>             port to listen on, 0 for a free one (PORT, default 7880)
  --keys "<key>: <secret>"    API keys, separated by commas or line breaks (KEYS)
  --webhook-url <url>         where events are sent; may be repeated (WEBHOOK_URL)
  --webhook-key <key>         API key that signs them (WEBHOOK_KEY, default: the first)
  --auto-create               a join creates an absent room (AUTO_CREATE=true)
  --rtc-port-range <a-b>      UDP ports for media, such as 50000-50200 (RTC_PORT_RANGE)
  --node-ip <address>         one more address to announce for media (NODE_IP)
  --rtc-tcp                   accept media over TCP too (RTC_TCP=true)
  --egress-dir <folder>       record, and keep what is being recorded here (EGRESS_DIR)
  --egress-output-dir <folder>  local files are written below it
                              (EGRESS_OUTPUT_DIR, default <egress-dir>/files)
  --egress-max-minutes <n>    longer recordings end with LIMIT_REACHED (EGRESS_MAX_MINUTES)
  --egress-start-timeout <s>  how long a recording waits for media
                              (EGRESS_START_TIMEOUT, default 60)
  --faults                    for tests: let callers inject faults (FAULTS=true)
  --dev                       key devkey, secret "secret", auto-create, 127.0.0.1:7880
  --parent-watch              exit when stdin closes
  --help                      print this text

Logs are JSON lines on stderr. Recording needs ffmpeg: FFMPEG_PATH, else the PATH, else the one
that comes with npm install.
`

const FLAGS = {
  host: { type: 'string' },
  port: { type: 'string' },
  keys: { type: 'string' },
  'webhook-url': { type: 'string', multiple: true },
  'webhook-key': { type: 'string' },
  'auto-create': { type: 'boolean' },
  'rtc-port-range': { type: 'string' },
  'node-ip': { type: 'string' },
  'rtc-tcp': { type: 'boolean' },
  'egress-dir': { type: 'string' },
  'egress-output-dir': { type: 'string' },
  'egress-max-minutes': { type: 'string' },
  'egress-start-timeout': { type: 'string' },
  faults: { type: 'boolean' },
  dev: { type: 'boolean' },
  'parent-watch': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const FAULTS_WARNING =
  '\n!!! --faults: whoever may record can make this server fail. For tests only. !!!\n\n'

class UsageError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Runs the command line until a signal ends it. */
export async function runCli(args: string[], env: Environment): Promise<void> {
  try {
    const flags = parseFlags(args)
    if (flags.help === true) {
      process.stdout.write(HELP)
      return
    }
    guardProcess(logToStderr)
    const options = optionsOf(flags, env)
    if (options.faults !== undefined) process.stderr.write(FAULTS_WARNING)
    const server = await startMediaServer({ ...options, log: logToStderr })
    process.stdout.write(`listening on ${server.url}\n`)
    closeOnSignal(server, flags['parent-watch'] ?? false)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

type Flags = ReturnType<typeof parseFlags>

function parseFlags(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS, strict: true }).values
  } catch (error) {
    throw new UsageError(`${reasonOf(error)} (see --help)`, { cause: error })
  }
}

/** Options from flags and environment; a flag wins. Throws UsageError. */
export function optionsOf(flags: Flags, env: Environment): MediaServerOptions {
  const isDev = flags.dev ?? false
  const apiKeys = parseKeys(flags.keys ?? env['KEYS'] ?? (isDev ? 'devkey: secret' : ''))
  const firstKey = Object.keys(apiKeys)[0]
  if (firstKey === undefined) throw new UsageError('no API keys: give --keys "<key>: <secret>"')

  const urls = flags['webhook-url'] ?? env['WEBHOOK_URL']?.split(',') ?? []
  const webhookKey = flags['webhook-key'] ?? env['WEBHOOK_KEY'] ?? firstKey
  const portRange = parsePortRange(flags['rtc-port-range'] ?? env['RTC_PORT_RANGE'])
  const nodeIp = flags['node-ip'] ?? env['NODE_IP']
  const egress = egressOf(flags, env)
  const hasFaults = flags.faults ?? env['FAULTS'] === 'true'
  return {
    host: flags.host ?? env['HOST'] ?? '127.0.0.1',
    port: parsePort(flags.port ?? env['PORT'] ?? '7880'),
    apiKeys,
    autoCreate: flags['auto-create'] ?? (isDev || env['AUTO_CREATE'] === 'true'),
    ...(urls.length === 0 ? {} : { webhook: { urls, apiKey: webhookKey } }),
    rtc: {
      tcp: flags['rtc-tcp'] ?? env['RTC_TCP'] === 'true',
      ...(portRange === undefined ? {} : { portRange }),
      ...(nodeIp === undefined ? {} : { addresses: [nodeIp] }),
    },
    ...(egress === undefined ? {} : { egress }),
    ...(hasFaults ? { faults: {} } : {}),
  }
}

function egressOf(flags: Flags, env: Environment): EgressOptions | undefined {
  const given = flags['egress-dir'] ?? env['EGRESS_DIR'] ?? ''
  if (given === '') return undefined
  const folder = path.resolve(given)
  const output = flags['egress-output-dir'] ?? env['EGRESS_OUTPUT_DIR'] ?? ''
  const minutes = flags['egress-max-minutes'] ?? env['EGRESS_MAX_MINUTES'] ?? ''
  const startTimeout = flags['egress-start-timeout'] ?? env['EGRESS_START_TIMEOUT'] ?? ''
  return {
    folder,
    outputFolder: output === '' ? path.join(folder, 'files') : path.resolve(output),
    ...(minutes === '' ? {} : { sessionMinutesMax: parseAmount(minutes) }),
    ...(startTimeout === '' ? {} : { startTimeoutSec: parseAmount(startTimeout) }),
    env,
  }
}

function parseAmount(text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`not a number of at least 1: ${text}`)
}

function parseKeys(text: string): Record<string, string> {
  const pairs = text.split(/[,\n]/).filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', secret = ''] = pair.split(/:(.*)/s).map((part) => part.trim())
      if (key === '' || secret === '') throw new UsageError('keys read "<key>: <secret>"')
      return [key, secret]
    }),
  )
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`not a port: ${text}`)
}

function parsePortRange(text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined
  const [low, high] = (/^(\d+)-(\d+)$/.exec(text) ?? []).slice(1).map(Number)
  if (low !== undefined && high !== undefined && low < high && high <= 65_535) return [low, high]
  throw new UsageError(`not a port range: ${text}`)
}

const CLOSE_DEADLINE_MS = 10_000

function closeOnSignal(server: MediaServer, isWatchingParent: boolean): void {
  let isClosing = false
  const close = () => {
    if (isClosing) return
    isClosing = true
    setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS)
    void server.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
  if (!isWatchingParent) return
  // A parent that was killed cannot stop its child, but its end of the pipe closes.
  process.stdin.on('end', close)
  process.stdin.on('error', close)
  process.stdin.resume()
}

// Errors of sockets whose other side has gone: one connection's matter, not the server's.
const BENIGN_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ERR_SOCKET_DGRAM_NOT_RUNNING',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])
// Thrown out of reach by the WebRTC library's background tasks: closed transports and answers
// that never come (a STUN transaction that fails or times out).
const BENIGN_STACK = /node_modules[\\/](werift|werift-[a-z]+)[\\/].*/

function guardProcess(log: Log): void {
  const judge = (error: unknown) => {
    const { code } = (error ?? {}) as { code?: string }
    const stack = error instanceof Error ? error.stack : undefined
    const isBenign = BENIGN_CODES.has(code ?? '') || BENIGN_STACK.test(stack ?? '')
    const msg = isBenign ? 'connection error outside any call' : 'unexpected error, exiting'
    log({ level: isBenign ? 'warn' : 'error', msg, reason: reasonOf(error), code, stack })
    if (!isBenign) process.exit(1)
  }
  // When whoever reads our output is gone, there is nobody to tell: reporting that would fail again.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  process.on('uncaughtException', judge)
  process.on('unhandledRejection', judge)
}

function logToStderr(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`)
}

function explain(error: unknown): string {
  const { code, address, port } = (error ?? {}) as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is taken: choose another --port`
  return reasonOf(error)
}
