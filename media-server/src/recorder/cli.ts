import { egressOf } from '../egress/egress-flags.ts'
import { logToStderr, runProgram } from '../lib/cli-process.ts'
import {
  type Environment,
  parseAmount,
  parseFlags,
  parseKeys,
  parsePort,
  parsePortRange,
  UsageError,
  webhookOf,
  withoutEmpty,
} from '../lib/cli-values.ts'
import { type RecorderOptions, startRecorder } from './recorder.ts'

const HELP = `A recorder beside a LiveKit server: it answers the calls of LiveKit Egress.

Usage: interview-recorder [options]

  --livekit-url <url>         the LiveKit server (LIVEKIT_URL)
  --keys "<key>: <secret>"    API keys of it, the first enters rooms
                              (KEYS, default LIVEKIT_API_KEY and LIVEKIT_API_SECRET)
  --host <address>            address to listen on (HOST, default 127.0.0.1)
  --port <number>             port to listen on, 0 for a free one (PORT, default 7890)
  --webhook-url <url>         where events are sent; may be repeated (WEBHOOK_URL)
  --webhook-key <key>         API key that signs them (WEBHOOK_KEY, default: the first)
  --egress-dir <folder>       what is being recorded is kept here (EGRESS_DIR, required)
  --egress-output-dir <folder>  local files are written below it
                              (EGRESS_OUTPUT_DIR, default <egress-dir>/files)
  --egress-max <n>            so many record at a time, one more is refused (EGRESS_MAX, default 10)
  --egress-max-minutes <n>    longer recordings end with LIMIT_REACHED (EGRESS_MAX_MINUTES)
  --egress-start-timeout <s>  how long a recording waits for media
                              (EGRESS_START_TIMEOUT, default 60)
  --give-up <s>               how long a lost room is sought before its recording ends
                              (GIVE_UP, default 60)
  --rtc-port-range <a-b>      UDP ports for media, such as 50000-50200 (RTC_PORT_RANGE)
  --parent-watch              exit when stdin closes
  --help                      print this text

Logs are JSON lines on stderr. It needs ffmpeg with libx264 and libopus: FFMPEG_PATH, else the first
in the PATH.
`

const FLAGS = {
  'livekit-url': { type: 'string' },
  keys: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'webhook-url': { type: 'string', multiple: true },
  'webhook-key': { type: 'string' },
  'egress-dir': { type: 'string' },
  'egress-output-dir': { type: 'string' },
  'egress-max': { type: 'string' },
  'egress-max-minutes': { type: 'string' },
  'egress-start-timeout': { type: 'string' },
  'give-up': { type: 'string' },
  'rtc-port-range': { type: 'string' },
  'parent-watch': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const RECORDING_MAX = 10
const NOBODY_NOTIFIED = 'WEBHOOK_URL is not set: nobody is notified of recordings'

/** Runs the command line until a signal ends it. */
export async function runRecorderCli(args: string[], env: Environment): Promise<void> {
  await runProgram({
    help: HELP,
    parse: () => parseFlags(args, FLAGS),
    start: async (flags) => {
      const options = recorderOptionsOf(flags, env)
      if (options.webhook === undefined) logToStderr({ level: 'warn', msg: NOBODY_NOTIFIED })
      return startRecorder({ ...options, log: logToStderr })
    },
  })
}

type Flags = ReturnType<typeof parseFlags<typeof FLAGS>>

/** Options from flags and environment; a flag wins. Throws UsageError. */
export function recorderOptionsOf(flags: Flags, given: Environment): RecorderOptions {
  const env = withoutEmpty(given)
  const url = flags['livekit-url'] ?? env['LIVEKIT_URL'] ?? ''
  if (!/^(http|ws)s?:\/\//.test(url)) {
    throw new UsageError('no LiveKit server: set LIVEKIT_URL, or give --livekit-url ws://…')
  }
  const apiKeys = parseKeys(flags.keys ?? env['KEYS'] ?? ownKey(env))
  const firstKey = Object.keys(apiKeys)[0]
  if (firstKey === undefined) {
    throw new UsageError(
      'no API keys: set LIVEKIT_API_KEY and LIVEKIT_API_SECRET, or give --keys "<key>: <secret>"',
    )
  }
  const egress = egressOf(flags, env)
  if (egress === undefined) {
    throw new UsageError('no folder to work in: set EGRESS_DIR, or give --egress-dir <folder>')
  }

  const webhook = webhookOf(flags, env, firstKey)
  const portRange = parsePortRange(flags['rtc-port-range'] ?? env['RTC_PORT_RANGE'])
  const recordingMax = flags['egress-max'] ?? env['EGRESS_MAX'] ?? String(RECORDING_MAX)
  const giveUp = flags['give-up'] ?? env['GIVE_UP'] ?? ''
  return {
    host: flags.host ?? env['HOST'] ?? '127.0.0.1',
    port: parsePort(flags.port ?? env['PORT'] ?? '7890'),
    url,
    apiKeys,
    ...(webhook && { webhook }),
    rtc: portRange === undefined ? {} : { portRange },
    egress: { ...egress, recordingMax: parseAmount(recordingMax, 'EGRESS_MAX (--egress-max)') },
    ...(giveUp !== '' && { giveUpSec: parseAmount(giveUp, 'GIVE_UP (--give-up)') }),
  }
}

function ownKey(env: Environment): string {
  const { LIVEKIT_API_KEY: key = '', LIVEKIT_API_SECRET: secret = '' } = env
  if ((key === '') !== (secret === '')) {
    throw new UsageError('LIVEKIT_API_KEY and LIVEKIT_API_SECRET go together')
  }
  return key === '' ? '' : `${key}: ${secret}`
}
