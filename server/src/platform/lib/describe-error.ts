import { DatabaseError } from 'pg'
import { stdSerializers } from 'pino'

/** Fields of a PostgreSQL error that repeat rows, and rows hold people. */
const REPEATS_ROWS = ['detail', 'hint', 'where', 'internalQuery', 'internalPosition']
/** PostgreSQL ends a message with the refused value. */
const REFUSED_VALUE = /: ".*"$/s

/** An error as the log shows it: without any text or name of a person. */
export function describeError(error: unknown): unknown {
  const described = stdSerializers.err(error as Error)
  const refusals = causesOf(error).filter((each) => each instanceof DatabaseError)
  if (refusals.length === 0) return described
  const kept = Object.entries(described).filter(([name]) => !REPEATS_ROWS.includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutValues(value, refusals)]))
}

/** The error, what caused it, what caused that, and so on. */
function causesOf(error: unknown, known: readonly Error[] = []): readonly Error[] {
  if (!(error instanceof Error) || known.includes(error)) return known
  return causesOf(error.cause, [...known, error])
}

/** Message and stack name the messages of all causes. */
function withoutValues(text: unknown, refusals: readonly Error[]): unknown {
  if (typeof text !== 'string') return text
  return refusals.reduce(
    (rest, { message }) => rest.replaceAll(message, message.replace(REFUSED_VALUE, '')),
    text,
  )
}
