/** Typed reading of environment variables that collects every problem instead of stopping at one. */
export interface EnvironmentReader {
  readonly problems: string[]
  /** The names that were asked for. */
  readonly asked: ReadonlySet<string>
  /** Required when no fallback is given. */
  text(name: string, options: { fallback?: string; minLength?: number }): string
  integer(name: string, options: { min: number; max: number; fallback: number }): number
  word<const T extends string>(name: string, words: readonly T[], fallback: T): T
  /** Some of these words, at least one, with commas between them; all of them when unset. */
  words<const T extends string>(name: string, words: readonly T[]): readonly T[]
  flag(name: string, fallback: boolean): boolean
  /** Without a slash at the end. */
  url(name: string, options: { schemes: readonly string[]; fallback?: string }): string
  /** Base64 of exactly this many bytes; required. */
  bytes(name: string, count: number): Buffer
}

export function readEnvironment(env: Record<string, string | undefined>): EnvironmentReader {
  const problems: string[] = []
  const asked = new Set<string>()

  function raw(name: string): string | undefined {
    asked.add(name)
    return env[name]?.trim() || undefined
  }

  function refuse<T>(problem: string, stand: T): T {
    problems.push(problem)
    return stand
  }

  const missing = (name: string): string => refuse(`${name} is required`, '')

  return {
    problems,
    asked,

    text(name, { fallback, minLength = 1 }) {
      const value = raw(name)
      if (value === undefined) return fallback ?? missing(name)
      if (value.length >= minLength) return value
      return refuse(`${name} must have at least ${minLength} characters`, value)
    },

    integer(name, { min, max, fallback }) {
      const value = raw(name)
      if (value === undefined) return fallback
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      return refuse(`${name} must be a whole number from ${min} to ${max}`, fallback)
    },

    word(name, words, fallback) {
      const value = raw(name)
      if (value === undefined) return fallback
      const found = words.find((word) => word === value)
      return found ?? refuse(`${name} must be one of ${words.join(', ')}`, fallback)
    },

    words(name, words) {
      const problem = `${name} must be some of ${words.join(', ')}, with commas between them`
      return someOf(words, raw(name)) ?? refuse(problem, words)
    },

    flag(name, fallback) {
      const value = raw(name)
      if (value === undefined) return fallback
      if (value === '1' || value === 'true') return true
      if (value === '0' || value === 'false') return false
      return refuse(`${name} must be true or false`, fallback)
    },

    url(name, { schemes, fallback }) {
      const value = raw(name)
      if (value === undefined) return fallback ?? missing(name)
      if (hasScheme(value, schemes)) return value.replace(/\/+$/, '')
      return refuse(`${name} must be an address that starts with ${schemes.join(':// or ')}://`, '')
    },

    bytes(name, count) {
      const value = raw(name)
      if (value === undefined) return refuse(`${name} is required`, Buffer.alloc(count))
      const bytes = Buffer.from(value, 'base64')
      if (bytes.length === count) return bytes
      return refuse(`${name} must be ${count} bytes in base64`, Buffer.alloc(count))
    },
  }
}

/** Several addresses, with commas between them, each once; without slashes at their ends. */
export function readUrls(
  read: EnvironmentReader,
  name: string,
  { schemes, fallback }: { schemes: readonly string[]; fallback: readonly string[] },
): readonly string[] {
  const value = read.text(name, { fallback: '' })
  if (value === '') return fallback
  const urls = value.split(',').map((each) => each.trim().replace(/\/+$/, ''))
  if (!urls.every((each) => hasScheme(each, schemes))) {
    const starts = `start with ${schemes.join(':// or ')}://`
    read.problems.push(`${name} must be addresses that ${starts}, with commas between several`)
  } else if (new Set(urls).size < urls.length) {
    read.problems.push(`${name} must have each address once`)
  }
  return urls
}

/** Undefined when there is another word among them. */
function someOf<T extends string>(
  words: readonly T[],
  value: string | undefined,
): readonly T[] | undefined {
  if (value === undefined) return words
  const given = value.split(',').map((each) => each.trim())
  const found = words.filter((word) => given.includes(word))
  return new Set(given).size === found.length ? found : undefined
}

function hasScheme(value: string, schemes: readonly string[]): boolean {
  return URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1))
}
