import { type Log, type LogEntry, reasonOf } from './log.ts'

const CLOSE_DEADLINE_MS = 10_000

/** Closes at SIGINT and SIGTERM, and if wanted at the end of standard input. */
function closeOnSignal(server: { close(): Promise<void> }, isWatchingParent: boolean): void {
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

/** Nothing that one connection throws out of reach ends the process; anything else does. */
function guardProcess(log: Log): void {
  const judge = (error: unknown) => {
    const { code } = (error ?? {}) as { code?: string }
    const stack = error instanceof Error ? error.stack : undefined
    const isBenign = BENIGN_CODES.has(code ?? '') || BENIGN_STACK.test(stack ?? '')
    const msg = isBenign ? 'connection error outside any call' : 'unexpected error, exiting'
    log({ level: isBenign ? 'warn' : 'error', msg, reason: reasonOf(error), code, stack })
    if (!isBenign) process.exit(1)
  }
  // When the reader of our output is gone, reporting that would fail again.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  process.on('uncaughtException', judge)
  process.on('unhandledRejection', judge)
}

export function logToStderr(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`)
}

/** The message about an error that prevents the start. */
function explain(error: unknown): string {
  const { code, address, port } = (error ?? {}) as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is taken: choose another --port`
  return reasonOf(error)
}

interface Program<Flags> {
  help: string
  /** Throws what is wrong with the command line. */
  parse: () => Flags
  start: (flags: Flags) => Promise<{ url: string; close(): Promise<void> }>
}

/** Runs a server of the command line until a signal ends it; says on standard output where it listens. */
export async function runProgram<Flags extends { help?: boolean; 'parent-watch'?: boolean }>({
  help,
  parse,
  start,
}: Program<Flags>): Promise<void> {
  try {
    const flags = parse()
    if (flags.help === true) {
      process.stdout.write(help)
      return
    }
    guardProcess(logToStderr)
    const server = await start(flags)
    process.stdout.write(`listening on ${server.url}\n`)
    closeOnSignal(server, flags['parent-watch'] ?? false)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}
