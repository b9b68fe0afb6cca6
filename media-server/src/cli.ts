import { egressOf } from './egress/egress-flags.ts'
import { logToStderr, runProgram } from './lib/cli-process.ts'
import {
  type Environment,
  parseFlags,
  parseKeys,
  parsePort,
  parsePortRange,
  UsageError,
  webhookOf,
  withoutEmpty,
} from './lib/cli-values.ts'
import type { RtcOptions } from './rtc/peer.ts'
import { type MediaServerOptions, startMediaServer } from './server.ts'

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
  --turn-url <url>            a TURN server to offer to clients, such as turn:example.com:3478;
                              may be repeated (TURN_URL)
  --turn-username <name>      user of it (TURN_USERNAME)
  --turn-credential <word>    password of that user (TURN_CREDENTIAL)
  --egress-dir <folder>       record, and keep what is being recorded here (EGRESS_DIR)
  --egress-output-dir <folder>  local files are written below it
                              (EGRESS_OUTPUT_DIR, default <egress-dir>/files)
  --egress-max-minutes <n>    longer recordings end with LIMIT_REACHED (EGRESS_MAX_MINUTES)
  --egress-start-timeout <s>  how long a recording waits for media
                              (EGRESS_START_TIMEOUT, default 60)
  --dev                       key devkey, secret "secret", auto-create, 127.0.0.1:7880
  --parent-watch              exit when stdin closes
  --help                      print this text

Logs are JSON lines on stderr. Recording needs ffmpeg with libx264 and libopus: FFMPEG_PATH, else
the first in the PATH.
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
  'turn-url': { type: 'string', multiple: true },
  'turn-username': { type: 'string' },
  'turn-credential': { type: 'string' },
  'egress-dir': { type: 'string' },
  'egress-output-dir': { type: 'string' },
  'egress-max-minutes': { type: 'string' },
  'egress-start-timeout': { type: 'string' },
  dev: { type: 'boolean' },
  'parent-watch': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Runs the command line until a signal ends it. */
export async function runCli(
  args: string[],
  env: Environment,
  start = startMediaServer,
): Promise<void> {
  await runProgram({
    help: HELP,
    parse: () => parseFlags(args, FLAGS),
    start: (flags) => start({ ...optionsOf(flags, env), log: logToStderr }),
  })
}

type Flags = ReturnType<typeof parseFlags<typeof FLAGS>>

/** Options from flags and environment; a flag wins. Throws UsageError. */
export function optionsOf(flags: Flags, given: Environment): MediaServerOptions {
  const env = withoutEmpty(given)
  const isDev = flags.dev ?? false
  const apiKeys = parseKeys(flags.keys ?? env['KEYS'] ?? (isDev ? 'devkey: secret' : ''))
  const firstKey = Object.keys(apiKeys)[0]
  if (firstKey === undefined) throw new UsageError('no API keys: give --keys "<key>: <secret>"')

  const webhook = webhookOf(flags, env, firstKey)
  const portRange = parsePortRange(flags['rtc-port-range'] ?? env['RTC_PORT_RANGE'])
  const nodeIp = flags['node-ip'] ?? env['NODE_IP']
  const egress = egressOf(flags, env)
  return {
    host: flags.host ?? env['HOST'] ?? '127.0.0.1',
    port: parsePort(flags.port ?? env['PORT'] ?? '7880'),
    apiKeys,
    autoCreate: flags['auto-create'] ?? (isDev || env['AUTO_CREATE'] === 'true'),
    ...(webhook && { webhook }),
    rtc: {
      tcp: flags['rtc-tcp'] ?? env['RTC_TCP'] === 'true',
      ...(portRange === undefined ? {} : { portRange }),
      ...(nodeIp === undefined ? {} : { addresses: [nodeIp] }),
      ...turnOf(flags, env),
    },
    ...(egress === undefined ? {} : { egress }),
  }
}

function turnOf(flags: Flags, env: Environment): Pick<RtcOptions, 'turn'> {
  const urls = flags['turn-url'] ?? env['TURN_URL']?.split(',') ?? []
  if (urls.length === 0) return {}
  const wrong = urls.find((url) => !/^turns?:[^/]/.test(url))
  if (wrong !== undefined) throw new UsageError(`not the address of a TURN server: ${wrong}`)
  const username = flags['turn-username'] ?? env['TURN_USERNAME'] ?? ''
  const credential = flags['turn-credential'] ?? env['TURN_CREDENTIAL'] ?? ''
  return { turn: { urls, username, credential } }
}
