import { parseArgs, type ParseArgsConfig } from 'node:util'
import { reasonOf } from './log.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting of the command line or the environment cannot be used. */
export class UsageError extends Error {}

/** Compose and Kubernetes pass what is not set as an empty text. */
export function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}

export function parseAmount(text: string, name: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`${name}: not a number of at least 1: ${text}`)
}

export function parseKeys(text: string): Record<string, string> {
  const pairs = text.split(/[,\n]/).filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', secret = ''] = pair.split(/:(.*)/s).map((part) => part.trim())
      if (key === '' || secret === '') throw new UsageError('keys read "<key>: <secret>"')
      return [key, secret]
    }),
  )
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`PORT (--port): not a port: ${text}`)
}

export function parsePortRange(text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined
  const [low, high] = (/^(\d+)-(\d+)$/.exec(text) ?? []).slice(1).map(Number)
  if (low !== undefined && high !== undefined && low < high && high <= 65_535) return [low, high]
  throw new UsageError(`RTC_PORT_RANGE (--rtc-port-range): not a port range: ${text}`)
}

/** Target of events, and the key that signs them; undefined where nobody is notified. */
export function webhookOf(
  flags: { 'webhook-url'?: string[] | undefined; 'webhook-key'?: string | undefined },
  env: Environment,
  firstKey: string,
): { urls: string[]; apiKey: string } | undefined {
  const urls = flags['webhook-url'] ?? env['WEBHOOK_URL']?.split(',') ?? []
  const wrong = urls.find((url) => !/^https?:\/\/./.test(url) || !URL.canParse(url))
  if (wrong !== undefined) {
    throw new UsageError(`WEBHOOK_URL (--webhook-url): not an address: ${wrong}`)
  }
  if (urls.length === 0) return undefined
  return { urls, apiKey: flags['webhook-key'] ?? env['WEBHOOK_KEY'] ?? firstKey }
}

/** The flags of a command line. Throws UsageError. */
export function parseFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, options, strict: true }).values
  } catch (error) {
    throw new UsageError(`${reasonOf(error)} (see --help)`, { cause: error })
  }
}
