import type { DetailCode } from '@interview-room/contract/errors.ts'

/** A body that is not JSON as we take it. The message is a fixed sentence about the body, for its sender. */
export class JsonError extends Error {
  override name = 'JsonError'
  readonly code: DetailCode

  constructor(message: string, options: ErrorOptions & { code?: DetailCode } = {}) {
    super(message, options)
    this.code = options.code ?? 'INVALID_FORMAT'
  }
}

const NOT_JSON = 'must be one JSON value (RFC 8259)'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }

const DEPTH_MAX = 32
/** Members of objects and items of arrays together, unless the caller sets another limit. */
const MEMBERS_MAX = 1_000
const TOO_LARGE = 'must not have numbers beyond 2^53 - 1: send a large id as text'
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SPACE = ' \t\n\r'
const WORDS: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * JSON (RFC 8259) without what would be silently changed later: invalid UTF-8, duplicate keys, NUL
 * and lone surrogates in strings, numbers that are not finite or, as integers, not exact. At most
 * 32 levels deep, and at most `membersMax` members and items in all. Nothing but space is `undefined`: no body was
 * sent. Throws `JsonError`.
 */
export function parseStrictJson(
  bytes: Uint8Array,
  membersMax = MEMBERS_MAX,
): JsonValue | undefined {
  const reader = readerOf(decode(bytes), membersMax)
  if (reader.isAtEnd()) return undefined
  const value = readValue(reader, 0)
  if (!reader.isAtEnd()) throw new JsonError(NOT_JSON)
  return value
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw new JsonError('must be UTF-8', { cause: error })
  }
}

interface Reader {
  /** Skips space first. */
  isAtEnd(): boolean
  /** Takes this text when it comes next; skips space before it. */
  take(text: string): boolean
  match(pattern: RegExp): string | undefined
  /** Counts a member or an item. */
  count(): void
}

function readerOf(text: string, membersMax: number): Reader {
  let position = 0
  let members = 0

  function skipSpace(): void {
    while (position < text.length && SPACE.includes(text.charAt(position))) position += 1
  }

  return {
    isAtEnd() {
      skipSpace()
      return position === text.length
    },
    take(wanted) {
      skipSpace()
      const isNext = text.startsWith(wanted, position)
      if (isNext) position += wanted.length
      return isNext
    },
    match(pattern) {
      skipSpace()
      pattern.lastIndex = position
      const found = pattern.exec(text)?.[0]
      if (found !== undefined) position += found.length
      return found
    },
    count() {
      members += 1
      if (members > membersMax) {
        throw new JsonError(`must have at most ${membersMax} members`, { code: 'TOO_LARGE' })
      }
    },
  }
}

function readValue(reader: Reader, depth: number): JsonValue {
  if (depth > DEPTH_MAX) throw new JsonError(`must be at most ${DEPTH_MAX} levels deep`)
  if (reader.take('{')) return readObject(reader, depth)
  if (reader.take('[')) return readArray(reader, depth)
  const text = reader.match(STRING)
  if (text !== undefined) return toText(text)
  const number = reader.match(NUMBER)
  if (number !== undefined) return toNumber(number)
  const word = WORDS.find(([spelling]) => reader.take(spelling))
  if (word === undefined) throw new JsonError(NOT_JSON)
  return word[1]
}

function readObject(reader: Reader, depth: number): JsonValue {
  const members = new Map<string, JsonValue>()
  if (reader.take('}')) return {}
  do {
    reader.count()
    const key = reader.match(STRING)
    if (key === undefined || !reader.take(':')) throw new JsonError(NOT_JSON)
    const name = toText(key)
    if (members.has(name))
      throw new JsonError('must not have the same key twice in an object', { code: 'DUPLICATE' })
    members.set(name, readValue(reader, depth + 1))
  } while (reader.take(','))
  if (!reader.take('}')) throw new JsonError(NOT_JSON)
  // Defines own members, `__proto__` too: no prototype is ever set from a body.
  return Object.fromEntries(members)
}

function readArray(reader: Reader, depth: number): JsonValue[] {
  const items: JsonValue[] = []
  if (reader.take(']')) return items
  do {
    reader.count()
    items.push(readValue(reader, depth + 1))
  } while (reader.take(','))
  if (!reader.take(']')) throw new JsonError(NOT_JSON)
  return items
}

function toText(literal: string): string {
  // NUL and half of a pair can only be escaped: the bytes are UTF-8.
  if (!literal.includes('\\')) return literal.slice(1, -1)
  const text = JSON.parse(literal) as string
  if (text.includes('\0')) throw new JsonError('must not have NUL characters')
  if (!text.isWellFormed()) throw new JsonError('must not have half of a surrogate pair')
  return text
}

function toNumber(literal: string): number {
  const number = Number(literal)
  if (!Number.isFinite(number)) throw new JsonError(TOO_LARGE, { code: 'OUT_OF_RANGE' })
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new JsonError(TOO_LARGE, { code: 'OUT_OF_RANGE' })
  }
  return number === 0 ? 0 : number
}
