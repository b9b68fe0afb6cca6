import { parseArgs } from 'node:util'
import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import { API_KEY_SCOPES, type ApiKeyScope } from '@interview-room/contract/management.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { argumentProblem } from '../platform/lib/argument-problem.ts'
import { parseDateTime } from '../platform/lib/date-time.ts'
import { isUuid, toLowerCaseId } from '../platform/lib/uuid.ts'
import { TOKEN_KEY_ALGS, type TokenKeyAlg } from '../platform/ports/token-key.ts'
import { UsageError } from './command-error.ts'

const OPTIONS = {
  tenant: { type: 'string' },
  session: { type: 'string' },
  name: { type: 'string' },
  note: { type: 'string' },
  'key-id': { type: 'string' },
  kid: { type: 'string' },
  kind: { type: 'string' },
  key: { type: 'string' },
  alg: { type: 'string' },
  jwk: { type: 'string' },
  generate: { type: 'boolean' },
  token: { type: 'string' },
  room: { type: 'string' },
  role: { type: 'string', multiple: true },
  'not-before': { type: 'string' },
  'not-after': { type: 'string' },
  url: { type: 'string' },
  endpoint: { type: 'string' },
  'end-old': { type: 'boolean' },
  event: { type: 'string' },
  type: { type: 'string' },
  'dry-run': { type: 'boolean' },
  since: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  state: { type: 'string' },
  'external-type': { type: 'string' },
  'external-id': { type: 'string' },
  'keep-recordings': { type: 'boolean' },
  erasure: { type: 'string' },
  hold: { type: 'string' },
  reason: { type: 'string' },
  out: { type: 'string' },
  operator: { type: 'string' },
  hours: { type: 'string' },
  origin: { type: 'string', multiple: true },
  recording: { type: 'string' },
  observation: { type: 'string' },
  language: { type: 'string' },
  version: { type: 'string' },
  company: { type: 'string' },
  purpose: { type: 'string' },
  retention: { type: 'string' },
  contact: { type: 'string' },
  logo: { type: 'string' },
  color: { type: 'string' },
  'help-contact': { type: 'string' },
  reset: { type: 'boolean' },
  sandbox: { type: 'boolean' },
  scope: { type: 'string', multiple: true },
  'expires-at': { type: 'string' },
  'requests-per-min': { type: 'string' },
  rooms: { type: 'string' },
  'stored-gb': { type: 'string' },
  recordings: { type: 'string' },
  chat: { type: 'string' },
  handouts: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export interface CommandLine {
  noun: string | undefined
  verb: string | undefined
  options: Options
  /** The names of the given options, except `json` and `help`. */
  given: readonly string[]
  isJson: boolean
  isHelp: boolean
}

/** The options of one call, each read and checked where a command asks for it. */
export interface Options {
  required(name: TextOption): string
  optional(name: TextOption): string | undefined
  uuid(name: TextOption): string
  flag(name: Flag): boolean
  roles(): Role[] | undefined
  origins(): string[]
  /** Undefined where the option is not given. */
  scopes(): ApiKeyScope[] | undefined
  /** One of these words; undefined where the option is not given. */
  word<const W extends string>(name: TextOption, words: readonly W[]): W | undefined
  alg(): TokenKeyAlg
  date(name: TextOption): Date | undefined
  /** If both are given, throws unless the end is after the start. */
  period(start: TextOption, end: TextOption): [start: Date | undefined, end: Date | undefined]
  count(name: TextOption, fallback: number, max?: number): number
  /**
   * A limit: a number from 1 to `max`, 0 for the word none, null for the word default; undefined where the
   * option is not given.
   */
  limit(name: TextOption, max: number): number | null | undefined
  /** A number from 1 to `max`, null for the word none; undefined where the option is not given. */
  days(name: TextOption, max: number): number | null | undefined
}

type Flag = 'generate' | 'end-old' | 'dry-run' | 'reset' | 'keep-recordings' | 'sandbox'
type TextOption = Exclude<
  keyof typeof OPTIONS,
  Flag | 'json' | 'help' | 'role' | 'origin' | 'scope'
>

/** Throws UsageError for options that nobody knows. */
export function readCommandLine(args: string[]): CommandLine {
  const { values, positionals } = parse(args)
  const [noun, verb, ...more] = positionals
  if (more.length > 0) throw new UsageError(`unexpected "${more[0]}"`)
  return {
    noun,
    verb,
    isJson: values.json ?? false,
    isHelp: values.help ?? false,
    options: optionsOf(values),
    given: Object.keys(values).filter((name) => name !== 'json' && name !== 'help'),
  }
}

function parse(args: string[]) {
  try {
    const joined = joinNegative(args)
    return parseArgs({ args: joined, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(argumentProblem(error) ?? String(error))
  }
}

/** Rewrites `--rooms -3` as `--rooms=-3`: it is a wrong number, not another option. */
function joinNegative(args: readonly string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1) ?? ''
    if (/^-\d/.test(arg) && /^--[^=]+$/.test(before)) joined.push(`${joined.pop()}=${arg}`)
    else joined.push(arg)
  }
  return joined
}

function optionsOf(values: ReturnType<typeof parse>['values']): Options {
  const options: Options = {
    optional: (name) => values[name],
    required(name) {
      const value = values[name]
      if (value === undefined || value === '') throw new UsageError(`--${name} is required`)
      return value
    },
    uuid(name) {
      const value = options.required(name)
      if (!isUuid(value)) throw new UsageError(`--${name} must be an id`)
      return toLowerCaseId(value)
    },
    flag: (name) => values[name] ?? false,
    roles() {
      const unknown = values.role?.find((word) => !ROLES.some((role) => role === word))
      if (unknown !== undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`)
      return withoutRepeats(values.role as Role[] | undefined)
    },
    origins: () => values.origin ?? [],
    scopes() {
      const unknown = values.scope?.find((word) => !API_KEY_SCOPES.some((scope) => scope === word))
      if (unknown !== undefined)
        throw new UsageError(`--scope must be one of ${API_KEY_SCOPES.join(', ')}`)
      return withoutRepeats(values.scope as ApiKeyScope[] | undefined)
    },
    word(name, words) {
      const value = values[name]
      const found = words.find((word) => word === value)
      if (value !== undefined && found === undefined)
        throw new UsageError(`--${name} must be one of ${words.join(', ')}`)
      return found
    },
    alg() {
      const found = TOKEN_KEY_ALGS.find((alg) => alg === (values.alg ?? 'ES256'))
      if (found === undefined)
        throw new UsageError(`--alg must be one of ${TOKEN_KEY_ALGS.join(', ')}`)
      return found
    },
    date(name) {
      const value = values[name]
      if (value === undefined) return undefined
      const date = dateOf(value)
      if (date === undefined) {
        throw new UsageError(`--${name} must be a date, as 2026-01-31 or 2026-01-31T09:30Z`)
      }
      return date
    },
    period: (start, end) => periodOf(options, start, end),
    count(name, fallback, max = 9999) {
      const value = values[name]
      if (value === undefined) return fallback
      if (isUpTo(value, max)) return Number(value)
      throw new UsageError(`--${name} must be a number from 1 to ${max}`)
    },
    limit: (name, max) => limitOf(name, values[name], max),
    days: (name, max) => daysOf(name, values[name], max),
  }
  return options
}

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * A day, or a moment; in this machine's time zone if none is given. JavaScript itself takes `7` for July 2001, and the 30th of
 * February for the 2nd of March.
 */
function dateOf(value: string): Date | undefined {
  const [, day = '', time, seconds = ':00', zone = ''] = ISO_8601.exec(value) ?? []
  if (time === undefined) return parseDateTime(`${day}T00:00:00Z`)
  const moment = `${day}T${time}${seconds}`
  return parseDateTime(`${moment}${zone || 'Z'}`) && new Date(`${moment}${zone}`)
}

function periodOf(
  options: Pick<Options, 'date'>,
  start: TextOption,
  end: TextOption,
): [Date | undefined, Date | undefined] {
  const [from, until] = [options.date(start), options.date(end)]
  if (from === undefined || until === undefined || from < until) return [from, until]
  throw new UsageError(`--${end} must be after --${start}`)
}

function withoutRepeats<T>(given: T[] | undefined): T[] | undefined {
  return given && [...new Set(given)]
}

/** A value of one line that people read, in its canonical form. */
export function printable(option: string, value: string): string {
  const name = displayNameOf(value)
  if (name === undefined)
    throw new UsageError(`--${option} must be 1 to ${DISPLAY_NAME_MAX} printable characters`)
  return name
}

function limitOf(name: string, value: string | undefined, max: number): number | null | undefined {
  if (value === undefined) return undefined
  if (value === 'default') return null
  if (value === 'none') return 0
  if (isUpTo(value, max)) return Number(value)
  throw new UsageError(`--${name} must be a number from 1 to ${max}, none or default`)
}

function daysOf(name: string, value: string | undefined, max: number): number | null | undefined {
  if (value === undefined) return undefined
  if (value === 'none') return null
  if (isUpTo(value, max)) return Number(value)
  throw new UsageError(`--${name} must be a number from 1 to ${max}, or none`)
}

function isUpTo(value: string, max: number): boolean {
  return /^[1-9]\d{0,8}$/.test(value) && Number(value) <= max
}
