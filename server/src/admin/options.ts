import { displayNameOf } from '@interview-room/contract/display-name.ts'
import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { Command } from 'commander'
import { parseDateTime } from '../platform/lib/date-time.ts'
import { isUuid, toLowerCaseId } from '../platform/lib/uuid.ts'
import { UsageError } from './command-error.ts'

/** The options of one call, each read and checked where a command asks for it. */
export interface Options {
  required(name: string): string
  optional(name: string): string | undefined
  uuid(name: string): string
  flag(name: string): boolean
  /** The values of an option that may be given several times. */
  texts(name: string): string[]
  /** One of these words; undefined where the option is not given. */
  word<const W extends string>(name: string, words: readonly W[]): W | undefined
  /** These words, each once; undefined where the option is not given. */
  words<const W extends string>(name: string, words: readonly W[]): W[] | undefined
  date(name: string): Date | undefined
  /** Refuses an end that is not after the start. */
  period(start: string, end: string): [start: Date | undefined, end: Date | undefined]
  count(name: string, fallback: number, max?: number): number
  /**
   * A limit: a number from 1 to `max`, 0 for the word none, null for the word default; undefined where the
   * option is not given.
   */
  limit(name: string, max: number): number | null | undefined
  /** A number from 1 to `max`, null for the word none; undefined where the option is not given. */
  days(name: string, max: number): number | null | undefined
}

export function optionsOf(command: Command): Options {
  function valueOf<T>(name: string): T | undefined {
    const option = command.options.find(({ long }) => long === `--${name}`)
    if (option === undefined) throw new Error(`the command does not declare --${name}`)
    return command.getOptionValue(option.attributeName()) as T | undefined
  }
  const options: Options = {
    optional(name) {
      const value = valueOf<string>(name)
      // It is the next option.
      if (value?.startsWith('--')) throw new UsageError(`--${name} needs a value`)
      return value
    },
    required(name) {
      const value = options.optional(name)
      if (value === undefined || value === '') throw new UsageError(`--${name} is required`)
      return value
    },
    uuid(name) {
      const value = options.required(name)
      if (!isUuid(value)) throw new UsageError(`--${name} must be an id`)
      return toLowerCaseId(value)
    },
    flag: (name) => valueOf<boolean>(name) ?? false,
    texts: (name) => valueOf(name) ?? [],
    words: (name, words) => wordsOf(name, valueOf(name), words),
    word(name, words) {
      const value = options.optional(name)
      return value === undefined ? undefined : wordsOf(name, [value], words)?.[0]
    },
    date(name) {
      const value = options.optional(name)
      if (value === undefined) return undefined
      const date = dateOf(value)
      if (date === undefined) {
        throw new UsageError(`--${name} must be a date, as 2026-01-31 or 2026-01-31T09:30Z`)
      }
      return date
    },
    period: (start, end) => periodOf(options, start, end),
    count(name, fallback, max = 9999) {
      const value = options.optional(name)
      if (value === undefined) return fallback
      if (isUpTo(value, max)) return Number(value)
      throw new UsageError(`--${name} must be a number from 1 to ${max}`)
    },
    limit: (name, max) => limitOf(name, options.optional(name), max),
    days: (name, max) => daysOf(name, options.optional(name), max),
  }
  return options
}

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * A day, or a moment; of this machine's zone where none is given. JavaScript alone takes `7` for July 2001, and the 30th of
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
  start: string,
  end: string,
): [Date | undefined, Date | undefined] {
  const [from, until] = [options.date(start), options.date(end)]
  if (from === undefined || until === undefined || from < until) return [from, until]
  throw new UsageError(`--${end} must be after --${start}`)
}

/** Each of the words once. */
function wordsOf<const W extends string>(
  name: string,
  given: string[] | undefined,
  words: readonly W[],
): W[] | undefined {
  const isKnown = (word: string): word is W => words.some((known) => known === word)
  if (given?.every(isKnown) === false) {
    throw new UsageError(`--${name} must be one of ${words.join(', ')}`)
  }
  return given && [...new Set(given.filter(isKnown))]
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
